/** The shape of a request: its route and the names of its parameters. Requests of one shape usually
 *  differ in one way. */
import { printable } from '../text/printable.ts';
import { readable } from './hide-secrets.ts';
import type { Target } from './target.ts';

const shownParameters = 8;
const maxNameLength = 80;

/** `GET /api/articles/x1tb…?populate[author][fields][0]=name&sort=title` →
 *  `GET /api/articles/:id ?populate[author][fields][] &sort`. */
export function shapeOf(method: string, target: Target): string {
  const [path = '', query = ''] = splitOnce(target, '?');
  const names = new Set(query.split('&').flatMap((pair) => (pair === '' ? [] : [nameOf(splitOnce(pair, '=')[0] ?? '')])));
  const sorted = [...names].sort();
  const further = sorted.length > shownParameters ? [`and ${sorted.length - shownParameters} more`] : [];
  const parameters = [...sorted.slice(0, shownParameters), ...further].join(' &');
  return `${method} ${routeOf(path)}${parameters === '' ? '' : ` ?${parameters}`}`;
}

const splitOnce = (text: string, separator: string): readonly string[] => {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

/** Ids of rows and documents, and names of files, are values. */
const routeOf = (path: string): string =>
  path
    .split('/')
    .map((segment, position, all) => (isValue(segment) || (all[1] === 'uploads' && position > 1) ? ':id' : shortened(readable(segment))))
    .join('/');

const isValue = (segment: string) => /^\d+$/.test(segment) || /^[a-z0-9]{24}$/.test(segment) || segment.length > maxNameLength;

const nameOf = (name: string) => shortened(readable(name).replaceAll(/\[\d*\]/g, '[]'));

const shortened = (text: string) => printable(text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text);
