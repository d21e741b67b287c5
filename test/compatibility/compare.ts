/** Compares a response with a recorded one. The status and the body count; the text of error messages, the content of their `details` and
 *  most headers are a matter of taste. */
import type { HttpResponse } from '../support/http.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface RecordedResponse {
  readonly status: number;
  readonly contentType: string | null;
  /** The headers that were recorded; `null` where absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Exactly one of these. */
  readonly body?: unknown;
  readonly bodyText?: string;
  readonly bodyLength?: number;
}

export interface Difference {
  readonly path: string;
  readonly want: string;
  readonly got: string;
}

/** The recorded form of a response. */
export function shapeOf(response: HttpResponse, wantedHeaders: readonly string[] | undefined): RecordedResponse {
  const contentType = response.headers['content-type'] ?? null;
  const shape = {
    status: response.status,
    contentType,
    ...(wantedHeaders === undefined ? {} : { headers: Object.fromEntries(wantedHeaders.map((name) => [name, headerOf(response, name)])) }),
  };
  if (response.raw.length === 0) return { ...shape, body: null };
  if (contentType?.includes('json')) {
    try {
      return { ...shape, body: response.json() };
    } catch {
      return { ...shape, bodyText: response.text };
    }
  }
  if (contentType?.startsWith('text/') && response.raw.length < 4096) return { ...shape, bodyText: response.text };
  return { ...shape, bodyLength: response.raw.length };
}

function headerOf(response: HttpResponse, name: string): string | null {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** The rules that differ between recordings of reads and of writes. */
export interface Rules {
  /** Whether two values that are no lists or objects are the same. */
  readonly same: (want: unknown, got: unknown) => boolean;
  /** The parts of an error body that must be equal. */
  readonly essence: (error: Json) => Json;
  /** Where Strapi fails. */
  readonly insteadOfFailure: (got: RecordedResponse) => readonly Difference[];
  /** Whether the media type counts when the headers were not recorded. */
  readonly mediaType: boolean;
}

const readRules: Rules = { same: sameValue, essence, insteadOfFailure: belowFiveHundred, mediaType: false };

export function compare(want: RecordedResponse, got: RecordedResponse, method: string, rules: Rules = readRules): readonly Difference[] {
  // PATCH, which Strapi refuses, is an addition of ours.
  if (method === 'PATCH' && want.status === 405) return belowFiveHundred(got);
  if (want.status >= 500 && want.status !== 501) return rules.insteadOfFailure(got);
  const differences = (wanted: unknown, other: unknown, path: string, into: Difference[]) =>
    differencesIn(wanted, other, path, rules.same, into);
  const found: Difference[] = [];
  differences(want.status, got.status, 'status', found);
  if (rules.mediaType) differences(mediaTypeOf(want.contentType), mediaTypeOf(got.contentType), 'media type', found);
  if (want.headers !== undefined && 'content-type' in want.headers && want.status < 400 && want.status !== 204)
    differences(want.headers['content-type'], got.headers?.['content-type'], 'headers.content-type', found);
  const wantedError = errorOf(want.body);
  const gotError = errorOf(got.body);
  if (want.bodyText !== undefined) {
    differences(want.bodyText, got.bodyText ?? (got.body === undefined ? undefined : JSON.stringify(got.body)), 'bodyText', found);
  } else if (want.bodyLength !== undefined) {
    differences(want.bodyLength, got.bodyLength, 'bodyLength', found);
  } else if (wantedError !== undefined && gotError !== undefined) {
    differences(rules.essence(wantedError), rules.essence(gotError), 'error', found);
  } else {
    differences(
      want.body ?? null,
      got.body ?? got.bodyText ?? (got.bodyLength === undefined ? null : `(${got.bodyLength} bytes)`),
      '$',
      found,
    );
  }
  return found;
}

export function belowFiveHundred(got: RecordedResponse): readonly Difference[] {
  return got.status >= 500 ? [{ path: 'status', want: 'below 500', got: String(got.status) }] : [];
}

export type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const mediaTypeOf = (contentType: string | null) => contentType?.split(';')[0]?.trim().toLowerCase() ?? null;

function errorOf(body: unknown): (Json & { readonly data: unknown }) | undefined {
  return isObject(body) && isObject(body.error) && 'status' in body.error ? { ...body.error, data: body.data } : undefined;
}

/** The parts of an error body that must be equal. */
function essence({ data, status, name, message, details }: Json): Json {
  const detail = details === undefined ? '(absent)' : isObject(details) && Object.keys(details).length === 0 ? 'empty' : 'present';
  return { data, status, name, message: typeof message, details: detail };
}

/** Object keys may come in any order, array elements may not. */
export function differencesIn(
  want: unknown,
  got: unknown,
  path: string,
  same: Rules['same'] = sameValue,
  into: Difference[] = [],
): Difference[] {
  if (same(want, got)) return into;
  if (Array.isArray(want) && Array.isArray(got)) {
    for (let at = 0; at < Math.max(want.length, got.length); at++) differencesIn(want[at], got[at], `${path}[${at}]`, same, into);
  } else if (isObject(want) && isObject(got)) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)]))
      differencesIn(want[key], got[key], `${path}.${key}`, same, into);
  } else {
    into.push({ path, want: shown(want), got: shown(got) });
  }
  return into;
}

export function sameValue(want: unknown, got: unknown): boolean {
  return Object.is(want, got) || sameBigInteger(want, got);
}

/** Strapi reads big integers through a JavaScript number; the exact digits are as good. */
function sameBigInteger(want: unknown, got: unknown): boolean {
  const big = /^-?\d{16,}$/;
  return typeof want === 'string' && typeof got === 'string' && big.test(want) && big.test(got) && Number(want) === Number(got);
}

function shown(value: unknown): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
