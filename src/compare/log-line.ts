/** Reads the request of a line, from a list of URLs or a log. The format is recognised for each
 *  line, as logs are rotated, merged and mixed with other output. */
import { isObject, type JsonObject, stringAt } from '../text/json.ts';

export interface LoggedRequest {
  readonly method: string;
  readonly url: string;
}

/** Undefined for a line that holds no request. */
export function readLogLine(line: string): LoggedRequest | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
  const text = line.replaceAll(/\u001b\[[\d;]*m/g, '').trim();
  return text.startsWith('{') ? ofJson(text) : (ofUrl(text) ?? ofRequestLine(text) ?? ofStrapi(text));
}

/** `/api/articles?sort=title`, `https://example.org/api/articles`, `GET /api/articles`. */
function ofUrl(text: string): LoggedRequest | undefined {
  const found = /^(?:([A-Z]+) )?((?:https?:\/\/[^/\s]+)?\/\S*)$/i.exec(text);
  return found?.[2] === undefined ? undefined : { method: (found[1] ?? 'GET').toUpperCase(), url: found[2] };
}

/** `… "GET /api/articles HTTP/1.1" 200 …`, of Apache and nginx. Bytes are escaped as `\x22`. */
function ofRequestLine(text: string): LoggedRequest | undefined {
  const found = /"([A-Z]+) (\S+) HTTP\/\d(?:\.\d)?"/.exec(text);
  if (found?.[1] === undefined || found[2] === undefined) return undefined;
  return { method: found[1], url: found[2].replaceAll(/\\x([\da-f]{2})/gi, '%$1').replaceAll('\\"', '%22') };
}

/** `[2026-11-23 12:46:32.123] http: GET /api/articles (12 ms) 200`, of `strapi::logger`. */
function ofStrapi(text: string): LoggedRequest | undefined {
  const found = /\bhttp:? ([A-Z]+) (\/\S*) \(\d+ ms\)/.exec(text);
  return found?.[1] === undefined || found[2] === undefined ? undefined : { method: found[1], url: found[2] };
}

/** Logs of Pino, Lectern and Caddy; of nginx with `escape=json`; lines wrapped by Docker. */
function ofJson(text: string): LoggedRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const wrapped = stringAt(value, 'log');
  if (wrapped !== undefined) return wrapped.startsWith('{"log"') ? undefined : readLogLine(wrapped);
  const line = stringAt(value, 'request');
  if (line !== undefined) return ofRequestLine(`"${line}"`);
  for (const object of [value, value.req, value.request]) {
    const request = isObject(object) ? ofObject(object) : undefined;
    if (request !== undefined) return request;
  }
  return undefined;
}

function ofObject(object: JsonObject): LoggedRequest | undefined {
  const first = (names: readonly string[]) => names.map((name) => stringAt(object, name)).find((each) => each !== undefined);
  const method = first(['method', 'request_method']);
  const url = first(['originalUrl', 'url', 'request_uri', 'uri']);
  return method === undefined || url === undefined ? undefined : { method: method.toUpperCase(), url };
}
