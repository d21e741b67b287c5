/** Validates the input for a new API token. Throws `api-token.invalid`, which names the member. */
import { ApiError } from '../errors/api-error.ts';
import { mcpWrite } from '../rights/rights.ts';
import { orMeant } from '../text/nearest.ts';

const apiTokenTypes = ['full-access', 'read-only', 'custom'] as const;
export type ApiTokenType = (typeof apiTokenTypes)[number];

export interface NewApiToken {
  readonly name: string;
  readonly description: string;
  readonly type: ApiTokenType;
  /** The granted actions of a custom token, and `lectern::mcp.write` of a full-access token, each
   *  once. */
  readonly actions: readonly string[];
  /** Milliseconds since the epoch; null for a token that never expires. */
  readonly expiresAt: number | null;
}

/** The unvalidated input of a command or a body. */
export interface NewApiTokenInput {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly type?: unknown;
  readonly actions?: unknown;
  /** `30d` (`m` minutes, `h` hours, `d` days, `w` weeks), an ISO 8601 date, or `never`. */
  readonly expires?: unknown;
}

/** Characters in the columns. */
const maxLength = 255;
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** The last date that every engine and Strapi can show. */
const latest = Date.UTC(9999, 11, 31);

/** `actions` are those of the project; `now` is in milliseconds since the epoch. */
export function parseNewApiToken(input: NewApiTokenInput, actions: ReadonlySet<string>, now: number): NewApiToken {
  const type = apiTokenTypes.find((each) => each === input.type);
  if (type === undefined) throw invalid(`type must be one of ${apiTokenTypes.join(', ')}`);
  return {
    name: text('name', input.name, 1),
    description: input.description === undefined || input.description === null ? '' : text('description', input.description, 0),
    type,
    actions: parseActions(input.actions, type, actions),
    expiresAt: parseExpiry(input.expires, now),
  };
}

function text(member: string, value: unknown, minLength: number): string {
  const trimmed = typeof value === 'string' ? value.trim() : undefined;
  // Names are printed in terminals.
  if (trimmed === undefined || trimmed.length < minLength || trimmed.length > maxLength || /\p{Cc}/u.test(trimmed)) {
    throw invalid(`${member} must be a text of ${minLength} to ${maxLength} characters without control characters`);
  }
  return trimmed;
}

function parseActions(value: unknown, type: ApiTokenType, known: ReadonlySet<string>): readonly string[] {
  const listed: unknown = value ?? [];
  if (!Array.isArray(listed)) throw invalid('actions must be a list of actions such as api::article.article.find');
  if (type !== 'custom') {
    if (listed.some((action) => action !== mcpWrite)) throw invalid(`actions go with the type custom; a ${type} token has its own`);
    if (listed.length > 0 && type === 'read-only') throw invalid(`a read-only token writes nothing, so it cannot have ${mcpWrite}`);
    return listed.length > 0 ? [mcpWrite] : [];
  }
  if (listed.length === 0) throw invalid('actions must not be empty: a custom token may do what they name and nothing else');
  const actions = new Set<string>();
  for (const action of listed) {
    if (typeof action !== 'string') throw invalid('actions must be a list of actions such as api::article.article.find');
    if (!known.has(action) && action !== mcpWrite) {
      const shown = action.slice(0, maxLength);
      throw invalid(`unknown action ${shown}${orMeant(shown, known)}`);
    }
    actions.add(action);
  }
  return [...actions];
}

/** `12h`, `30d`, `2030-12-31` as milliseconds since the epoch; null for `never`. */
export function parseExpiry(value: unknown, now: number): number | null {
  if (value === undefined || value === null || value === 'never') return null;
  const end = typeof value === 'string' ? momentOf(value, now) : undefined;
  if (end === undefined) throw invalid('expires must be a time from now such as 12h or 30d, an ISO 8601 date such as 2030-12-31, or never');
  if (end <= now) throw invalid('expires must be in the future');
  if (end > latest) throw invalid('expires must be before the year 10000');
  return end;
}

function momentOf(value: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,7})([mhdw])$/.exec(value) ?? [];
  if (count !== undefined && unit !== undefined) return now + Number(count) * (units[unit] ?? 0);
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(value)) return undefined;
  const moment = Date.parse(value);
  // Date.parse takes the 31st of February for the 3rd of March.
  const isDay = new Date(`${value.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(value.slice(8, 10));
  return Number.isNaN(moment) || !isDay ? undefined : moment;
}

const invalid = (problem: string) => ApiError.of('api-token.invalid', { problem });
