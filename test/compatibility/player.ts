/** Plays the steps of a scenario against a server. */
import type { HttpResponse, SentRequest } from '../support/http.ts';
import { multipart, type Part } from '../support/multipart.ts';
import type { RunningServer } from '../support/server.ts';
import { compare, type Difference, isObject, type RecordedResponse, shapeOf } from './compare.ts';
import { filled, filledText, type Saved, writeRules } from './placeholders.ts';
import { credentials, fixture, type Scenario, type SentPart, type Step } from './scenarios.ts';

export interface Played {
  readonly request: SentRequest;
  readonly got: RecordedResponse;
  readonly differences: readonly Difference[];
}

export interface Stage {
  readonly server: Pick<RunningServer, 'base' | 'send'>;
  /** Answers the JWT of a user. */
  readonly signIn: (who: string) => Promise<string>;
}

/** Plays a step by its index. The steps before it are played first, each once: a step means nothing without them, also when it alone is run. */
export function player(scenario: Scenario, stage: Stage): (index: number) => Promise<Played> {
  const saved: Saved = new Map(Object.entries(credentials.jwt).map(([name, jwt]) => [`jwt-${name}`, jwt]));
  const played: Promise<Played>[] = [];
  const playAt = async (index: number): Promise<Played> => {
    if (index > 0) await play(index - 1).catch(() => undefined);
    const step = scenario.steps[index];
    if (step === undefined) throw new Error(`${scenario.scenario} has no step ${index}`);
    return playStep(step, saved, stage);
  };
  const play = (index: number): Promise<Played> => {
    played[index] ??= playAt(index);
    return played[index];
  };
  return play;
}

async function playStep(step: Step, saved: Saved, stage: Stage): Promise<Played> {
  const request = await requestOf(step, saved, stage);
  const answer = await stage.server.send(request);
  const got = shapeOf(answer, undefined);
  const { unordered } = step;
  const lost = save(step, got.body, saved, answer.headers['set-cookie']).map((name) => ({
    path: `saved ${name}`,
    want: String(step.save?.[name]),
    got: '(absent)',
  }));
  const differences = compare(inOrder(step.response, unordered), inOrder(got, unordered), request.method ?? 'GET', writeRules(saved));
  return { request, got, differences: [...differences, ...lost, ...locationOf(step, answer)] };
}

async function requestOf({ as, request }: Step, saved: Saved, stage: Stage): Promise<SentRequest> {
  const secret = as.startsWith('user:') ? await stage.signIn(as.slice('user:'.length)) : credentials.tokens[as];
  if (secret === undefined && as !== 'public') throw new Error(`no credentials for ${as}`);
  const headers: Record<string, string> = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = filledText(value, saved);
  const form = request.multipart === undefined ? undefined : await multipart(request.multipart.map((part) => partOf(part, saved)));
  const body = form?.body ?? bodyOf(request, saved);
  // As `fetch` sent it when it was recorded.
  const { pathname, search } = new URL(encodeURI(filledText(request.path, saved)).replaceAll('%25', '%'), stage.server.base);
  return {
    method: request.method,
    path: pathname + search,
    headers: { ...headers, ...form?.headers },
    ...(body === undefined ? {} : { body }),
  };
}

function partOf(part: SentPart, saved: Saved): Part {
  if ('value' in part) return { name: part.name, value: filledText(part.value, saved) };
  return { name: part.name, file: fixture(part.file), type: part.type, filename: part.filename ?? part.file };
}

function bodyOf({ body, rawBody, rawBodyRepeat }: Step['request'], saved: Saved): string | undefined {
  if (rawBodyRepeat !== undefined) return rawBodyRepeat.prefix + rawBodyRepeat.repeat.repeat(rawBodyRepeat.count) + rawBodyRepeat.suffix;
  return rawBody ?? (body === undefined ? undefined : JSON.stringify(filled(body, saved)));
}

/** With the lists of these paths sorted by name. */
function inOrder(answer: RecordedResponse, paths: readonly string[] = []): RecordedResponse {
  if (paths.length === 0) return answer;
  const sorted = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return paths.includes(path) ? value.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)) : value;
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sorted(each, path === '' ? key : `${path}.${key}`)]));
  };
  return { ...answer, body: sorted(answer.body, '') };
}

const nameOf = (entry: unknown) => (isObject(entry) ? String(entry.name) : '');

/** Where a redirection leads to counts. */
function locationOf({ response }: Step, answer: HttpResponse): Difference[] {
  const want = response.headers?.location;
  const got = answer.headers.location;
  return typeof want !== 'string' || want === got ? [] : [{ path: 'headers.location', want, got: got ?? '(absent)' }];
}

const cookie = 'cookie:';

/** Stores what later steps need; returns the names of what is missing. */
function save(step: Step, body: unknown, saved: Saved, cookies: readonly string[] = []): string[] {
  return Object.entries(step.save ?? {}).flatMap(([name, path]) => {
    const value = path.startsWith(cookie) ? cookieIn(cookies, path.slice(cookie.length)) : valueIn(body, path);
    if (value === undefined || value === null) return [name];
    saved.set(name, value);
    return [];
  });
}

function cookieIn(cookies: readonly string[], name: string): string | undefined {
  const found = cookies.find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1).split(';')[0];
}

const valueIn = (body: unknown, path: string): unknown =>
  path.split('.').reduce((at: unknown, key) => (at === null || at === undefined ? undefined : Object(at)[key]), body);
