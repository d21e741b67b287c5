/** The beginnings of files with hooks and endpoints, which `lectern make` writes. */
import type { Attribute, ContentModel, ContentType } from '../../model/content-model.ts';
import type { Method } from '../../own-code/types.ts';
import { keyOf, quoted } from '../../typescript/source-text.ts';

/** Attributes of every type, which hooks do not set. */
const ofServer: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt'],
  ...['locale', 'createdBy', 'updatedBy', 'localizations'],
]);

export function hookTemplate(type: ContentType): string {
  const { uid, draftAndPublish } = type;
  const attributes = [...type.attributes.values()].filter(({ name }) => !ofServer.has(name));
  const [first] = attributes;
  const name = first?.name ?? 'title';
  const isOwn = uid.startsWith('api::');
  const lines = [
    `/** Hooks of ${uid}: docs/hooks.md of Lectern. */`,
    "import { defineHooks } from 'lectern';",
    '',
    '// Its attributes:',
    ...attributes.map((each) => `//   ${keyOf(each.name)}: ${describeAttribute(each)}`),
    '',
    `export default defineHooks(${quoted(uid)}, {`,
    ...(isOwn ? beforeLines(name, draftAndPublish) : []),
    ...(isOwn ? computeLines(attributes) : []),
    ...committedLines(isOwn, draftAndPublish),
    '});',
    '',
  ];
  return lines.join('\n');
}

/** `string, required`, `manyToOne of api::author.author`. */
function describeAttribute(attribute: Attribute): string {
  const isRequired = 'required' in attribute && attribute.required;
  return `${typeOf(attribute)}${isRequired ? ', required' : ''}`;
}

function typeOf(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type;
    case 'relation':
      return `${attribute.relation} of ${attribute.target ?? 'any type'}`;
    case 'component':
      return `component ${attribute.component}`;
    default:
      return attribute.kind;
  }
}

const beforeLines = (name: string, draftAndPublish: boolean): string[] => [
  '  // Before a write. A function may refuse it, change what is written, and add writes of other',
  '  // documents that happen in the same transaction.',
  '  before: {',
  '    create({ data, log }) {',
  "      log.debug('a document is created', { attributes: Object.keys(data) });",
  `      // if (…) fail(${quoted(name)}, 'must …'); // A 400 that names the attribute: import { fail } from 'lectern'.`,
  `      // return { data: { ${keyOf(name)}: … } };`,
  '    },',
  '    // update({ data, document, changed, caller }) {},',
  ...(draftAndPublish
    ? ['    // publish({ document }) {},', '    // unpublish({ document }) {},', '    // discard({ document }) {},']
    : []),
  '    // delete({ document }) {},',
  '  },',
  '',
];

function computeLines(attributes: readonly Attribute[]): string[] {
  const scalars = attributes.flatMap((each) => (each.kind === 'scalar' ? [each] : []));
  const title = scalars.find(({ type }) => type === 'string');
  const uid = scalars.find(({ type }) => type === 'uid');
  const isSlug = uid !== undefined && title !== undefined;
  return [
    '  // Attributes that the server computes: a ready rule (slug, excerpt, readingTime, treePath), or',
    '  // a function of the other attributes.',
    '  // compute: {',
    `  //   ${isSlug ? `${keyOf(uid.name)}: slug({ from: ${quoted(title.name)} })` : 'total: (entry) => entry.price * entry.amount'},`,
    '  // },',
    '',
  ];
}

/** Types of plugins can have no other functions, so one of these is not a comment. */
function committedLines(isOwn: boolean, draftAndPublish: boolean): string[] {
  const words = ['  // After the commit, at least once: mails, requests to other servers.'];
  if (isOwn) {
    const event = draftAndPublish ? 'publish' : 'create';
    return [
      ...words,
      '  // committed: {',
      `  //   async ${event}({ event, document, documents, mail, fetch, log, signal }) {},`,
      '  // },',
    ];
  }
  return [
    ...words,
    '  committed: {',
    '    create({ event, log }) {',
    "      log.debug('a document was created', { documentId: event.documentId });",
    '    },',
    '    // update({ event, document, documents, mail, fetch, log, signal }) {},',
    '    // delete({ event }) {},',
    '  },',
  ];
}

export interface EndpointText {
  readonly method: Method;
  /** Below the prefix of the API: `/orders/:id/refund`. */
  readonly path: string;
  readonly right: string;
}

export function endpointTemplate({ method, path, right }: EndpointText, { contentTypes }: ContentModel, prefix: string): string {
  const params = [...path.matchAll(/:([\w.~-]+)/g)].map(([, name = '']) => name);
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const type = [...contentTypes.values()].find(({ routed }) => routed)?.uid ?? 'api::article.article';
  const text = "{ type: 'string' }";
  const details = params.map((name) => `${keyOf(name)}: params${keyOf(name) === name ? `.${name}` : `[${quoted(name)}]`}`);
  return [
    `/** ${method} ${prefix}${path}: docs/endpoints.md of Lectern. */`,
    "import { defineEndpoint } from 'lectern';",
    '',
    'export default defineEndpoint({',
    `  method: ${quoted(method)},`,
    `  path: ${quoted(path)},`,
    '  // A right that roles and API tokens have to be given. Every caller may use the endpoint with',
    `  // 'public', and those who may use a content route with its right: '${type}.find'.`,
    `  right: ${quoted(right)},`,
    '  // Schemas check what callers send: JSON Schema, or one of zod, valibot or arktype.',
    `  // query: { type: 'object', properties: { q: ${text} } },`,
    ...(hasBody ? [`  // body: { type: 'object', required: ['reason'], properties: { reason: ${text} } },`] : []),
    '  // The handler also gets query, body, headers, caller, documents, asSystem, mail, fetch and signal.',
    `  async handler({ ${params.length > 0 ? 'params, ' : ''}log }) {`,
    `    log.debug('called'${details.length > 0 ? `, { ${details.join(', ')} }` : ''});`,
    '    // With the rights of the caller; asSystem.documents has all rights:',
    `    // const { data } = await documents(${quoted(type)}).find({ pagination: { limit: 10 } });`,
    '    return { data: [] };',
    '  },',
    '});',
    '',
  ].join('\n');
}
