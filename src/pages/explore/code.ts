/** A query as code that can be run. The token comes from the environment. */
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import type { Query } from './query.ts';
import { rootOf } from './query.ts';
import { parseQuery } from './read-url.ts';
import { encodedUrl, parametersOf } from './write-url.ts';

export interface CodeOf {
  readonly query: Query;
  readonly model: DescribedModel;
  /** As in the field: `/api/articles?…` */
  readonly url: string;
  /** Whether the controls show all of the URL. */
  readonly isComplete: boolean;
  readonly origin: string;
  readonly hasToken: boolean;
}

export const languages: readonly { readonly name: string; readonly write: (of: CodeOf) => string }[] = [
  { name: 'URL', write: ({ url, origin }) => encodedUrl(url, origin) },
  { name: 'curl', write: curl },
  { name: 'fetch', write: fetchCode },
  { name: 'qs', write: qsCode },
  { name: '@strapi/client', write: strapiClient },
  { name: '@lectern/client', write: lecternClient },
];

/** The variable that the code takes the token from. */
const variable = 'API_TOKEN';

function curl({ url, origin, hasToken }: CodeOf): string {
  // Single quotes: a shell replaces nothing in them.
  const quoted = `'${encodedUrl(url, origin).replaceAll("'", "'\\''")}'`;
  return hasToken ? `curl --globoff -H "Authorization: Bearer $${variable}" ${quoted}` : `curl --globoff ${quoted}`;
}

const headers = (hasToken: boolean, indent = '') =>
  hasToken ? `, {\n${indent}  headers: { Authorization: \`Bearer \${process.env.${variable}}\` },\n${indent}}` : '';

function fetchCode({ url, origin, hasToken }: CodeOf): string {
  return `const response = await fetch(${text(encodedUrl(url, origin))}${headers(hasToken)});
const body = await response.json();
`;
}

function qsCode(of: CodeOf): string {
  const { pathname } = new URL(encodedUrl(of.url, of.origin));
  const parameters = parametersIn(of);
  const isEmpty = Object.keys(parameters).length === 0;
  if (isEmpty) return fetchCode(of);
  return `import qs from 'qs';

const query = qs.stringify(${literal(parameters, '')}, { encodeValuesOnly: true });
const response = await fetch(\`${of.origin}${pathname}?\${query}\`${headers(of.hasToken)});
const body = await response.json();
`;
}

function strapiClient(of: CodeOf): string {
  const call = clientCall(of);
  if (call === undefined) return '// @strapi/client has no method for this path.\n';
  const auth = of.hasToken ? `, auth: process.env.${variable}` : '';
  return `import { strapi } from '@strapi/client';

const client = strapi({ baseURL: ${text(`${of.origin}${of.model.prefix}`)}${auth} });
const body = await ${call};
`;
}

function lecternClient(of: CodeOf): string {
  const call = clientCall(of);
  if (call === undefined) return '// @lectern/client has no method for this path.\n';
  const token = of.hasToken ? `, token: process.env.${variable}` : '';
  return `import { createClient } from '@lectern/client';

const client = createClient({ baseURL: ${text(`${of.origin}${of.model.prefix}`)}${token} });
const body = await ${call};
`;
}

/** `client.collection('articles').find({…})`, as in both clients; undefined for other paths. */
function clientCall(of: CodeOf): string | undefined {
  const { pathname } = new URL(encodedUrl(of.url, of.origin));
  const root = rootOf(of.model, of.query.uid);
  if (root === undefined || !(pathname === root.path || pathname.startsWith(`${root.path}/`))) return undefined;
  const [, name = '', documentId] = pathname.slice(of.model.prefix.length).split('/');
  const parameters = parametersIn(of);
  const argument = Object.keys(parameters).length === 0 ? '' : literal(parameters, '');
  if (root.isSingle) return `client.single(${text(name)}).find(${argument})`;
  if (documentId === undefined) return `client.collection(${text(name)}).find(${argument})`;
  const id = text(decodeURIComponent(documentId));
  return `client.collection(${text(name)}).findOne(${argument === '' ? id : `${id}, ${argument}`})`;
}

/** What the controls show, or what the URL says where they show less. */
const parametersIn = ({ query, model, url, isComplete, origin }: CodeOf): object =>
  isComplete ? parametersOf(query, model) : parseQuery(new URL(url, origin).search.slice(1));

/** A value as JavaScript. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((each) => literal(each, inner));
    const line = `[${items.join(', ')}]`;
    return line.length <= 80 && !line.includes('\n') ? line : `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries(value).map(
    ([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) && key !== '__proto__' ? key : `[${text(key)}]`}: ${literal(each, inner)}`,
  );
  const line = `{ ${entries.join(', ')} }`;
  return line.length <= 60 && !line.includes('\n') ? line : `{\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}}`;
}

/** A text in single quotes. U+2028 and U+2029 may stand in a text of JavaScript. */
const text = (value: string): string => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
