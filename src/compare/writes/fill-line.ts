/** The request of a line to one server: placeholders become values of its earlier responses. */
import type { SentRequest } from '../ask.ts';
import { writeExactly } from '../exact-json.ts';
import { targetOf } from '../target.ts';
import { fillJson, fillText, PlaceholderError, type Values } from './placeholders.ts';
import { isHeaderText, type WriteLine } from './read-writes.ts';

/** Throws a PlaceholderError that says why the request cannot be sent. */
export function fillLine({ method, path, headers, body }: WriteLine, values: Values, prefix: string): SentRequest {
  // Checked again, since the value comes from a server.
  const found = targetOf(fillText(path, values, inPath), prefix, 'accounts too');
  if (!found.ok) throw new PlaceholderError('the path with its values leads out of the API');
  const filled = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text === null ? null : fillText(text, values)]));
  if (!Object.values(filled).every((text) => text === null || isHeaderText(text)))
    throw new PlaceholderError('a header cannot hold the value');
  return { method, target: found.target, headers: filled, body: body === undefined ? undefined : writeExactly(fillJson(body, values)) };
}

function inPath(value: string): string {
  // Half a character, which has no encoding.
  if (/\p{Cs}/u.test(value)) throw new PlaceholderError('a path cannot hold the value');
  return encodeURIComponent(value);
}
