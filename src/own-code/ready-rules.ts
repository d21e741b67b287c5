/** Ready rules for `compute`. */
import slugify from '@sindresorhus/slugify';
import { linkIn, sentLink } from './linked-to.ts';
import { fail } from './refusal.ts';
import type { AlsoWrite, BeforeContext, ComputeRule } from './types.ts';

// biome-ignore lint/suspicious/noExplicitAny: these rules fit every type.
type Context = BeforeContext<any>;

interface SlugOptions {
  /** The attribute that the slug is made of. */
  readonly from: string;
  /** An attribute of type json that collects former slugs, the latest first. */
  readonly history?: string;
  /** Whether the slug follows changes of `from`. Otherwise it is made once, if the body has
   *  none. */
  readonly follow?: boolean;
}

/** At most this many former slugs are stored. */
const mostFormer = 50;
/** Numbers that are appended to a slug that is taken. */
const mostAttempts = 20;

/** A slug that no other document has, in the locale that is written. */
export const slug = ({ from, history, follow = false }: SlugOptions): ComputeRule => ({
  from: [from],
  own: true,
  ...(history === undefined ? {} : { writes: [history] }),
  async values(entry, name, context) {
    const { document, data } = context;
    const before = document?.[name];
    const given = has(data, name) ? data[name] : undefined;
    const isMade = isEmpty(given) && (isEmpty(before) || (follow && context.changed.includes(from)) || has(data, name));
    const made = isMade ? await freeSlug(slugify(String(entry[from] ?? '')), name, context) : given;
    if (made === undefined || made === '') return { data: {} };
    if (history === undefined || isEmpty(before) || before === made) return { data: { [name]: made } };
    const former = [before, ...listOf(document?.[history])].filter((each, index, all) => each !== made && all.indexOf(each) === index);
    return { data: { [name]: made, [history]: former.slice(0, mostFormer) } };
  },
});

async function freeSlug(base: string, name: string, context: Context): Promise<string | undefined> {
  const { uid, documentId, locale, read } = context;
  if (base === '') return undefined;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const wanted = attempt === 1 ? base : `${base}-${attempt}`;
    const others = documentId === undefined ? {} : { documentId: { $ne: documentId } };
    const filters = { [name]: { $eq: wanted }, ...others };
    const found = await read(uid).count({ filters, status: 'draft', ...(locale === null ? {} : { locale }) } as never);
    if (found === 0) return wanted;
  }
  return `${base}-${Date.now().toString(36)}`;
}

interface TextOptions {
  /** The attribute with the text: plain, Markdown, HTML or blocks. */
  readonly from: string;
}

/** The beginning of a text, cut after a word, for lists and meta descriptions. `length`:
 *  characters. */
export const excerpt = ({ from, length = 160 }: TextOptions & { readonly length?: number }): ComputeRule => ({
  from: [from],
  values: (entry, name) => ({ data: { [name]: cut(plainText(entry[from]), length) } }),
});

/** Whole minutes, at least one. */
export const readingTime = ({ from, wordsPerMinute = 200 }: TextOptions & { readonly wordsPerMinute?: number }): ComputeRule => ({
  from: [from],
  values: (entry, name) => {
    const words = plainText(entry[from]).split(/\s+/).filter(Boolean).length;
    return { data: { [name]: Math.max(1, Math.ceil(words / wordsPerMinute)) } };
  },
});

interface TreeOptions {
  /** The relation to the document above, of the same type. */
  readonly parent: string;
  /** The attribute with the document's own part of the path. */
  readonly slug: string;
}

/** Documents below that are changed with one write, and levels of a path. */
const mostBelow = 200;
const mostLevels = 20;

/** `/about/team`: the slugs from the root to the document. When it moves, the documents below it
 *  get their new path in the same transaction: their drafts, where there are drafts. */
export const treePath = ({ parent, slug: own }: TreeOptions): ComputeRule => ({
  from: [parent, own],
  async values(entry, name, context) {
    const { documentId } = context;
    const above = await parentOf(context, parent);
    if (above !== undefined && above.documentId === documentId) fail(parent, 'must be another document');
    const path = `${above?.[name] ?? ''}/${entry[own] ?? ''}`;
    const before = context.document?.[name];
    if (documentId === undefined || before === path) return { data: { [name]: path } };
    const tree = { name, parent, own, context, levels: mostLevels, above: above?.documentId };
    const also = await below(documentId, path, tree);
    if (also.length > mostBelow) fail(own, `there are more than ${mostBelow} documents below; move them in parts`);
    return { data: { [name]: path }, also };
  },
});

/** The document above as it will be. */
async function parentOf(context: Context, parent: string): Promise<Record<string, unknown> | undefined> {
  const { uid, data, document, documentId, locale, read } = context;
  const params = { status: 'draft', ...(locale === null ? {} : { locale }) };
  let stored: Record<string, unknown> | undefined;
  if (documentId !== undefined && document !== undefined) {
    const found = (await read(uid).findOne(documentId, { populate: [parent], ...params } as never)) as Record<string, unknown> | undefined;
    stored = (found?.[parent] ?? undefined) as Record<string, unknown> | undefined;
  }
  if (!has(data, parent)) return stored;
  const sent = sentLink(data[parent], linkIn(stored));
  if (sent === undefined) return undefined;
  if (sent === stored?.documentId) return stored;
  const filters = typeof sent === 'number' ? { id: sent } : { documentId: sent };
  const { data: found } = await read(uid).find({ filters, ...params, pagination: { limit: 1 } } as never);
  return found[0];
}

interface Tree {
  readonly name: string;
  readonly parent: string;
  readonly own: string;
  readonly context: Context;
  readonly levels: number;
  /** The document that it is moved below. */
  readonly above: unknown;
}

async function below(documentId: string, path: string, tree: Tree): Promise<AlsoWrite[]> {
  const { name, parent, own, context, levels, above } = tree;
  if (levels === 0) fail(parent, `a document would be below itself, or more than ${mostLevels} levels deep`);
  const { uid } = context;
  const inLocale = context.locale === null ? {} : { locale: context.locale };
  const children: Record<string, unknown>[] = [];
  for (let page = 1, pages = 1; page <= pages && children.length <= mostBelow; page++) {
    // A page may be smaller (api.maxLimit).
    const { data, meta } = await context.read(uid).find({
      filters: { [parent]: { documentId } },
      fields: [own, name],
      status: 'draft',
      sort: 'id',
      pagination: { page, pageSize: mostBelow + 1, withCount: true },
      ...inLocale,
    } as never);
    children.push(...data);
    pages = (meta as { readonly pagination: { readonly pageCount: number } }).pagination.pageCount;
  }
  const writes: AlsoWrite[] = [];
  for (const child of children) {
    if (child.documentId === context.documentId || child.documentId === above) fail(parent, 'a document would be below itself');
    const childPath = `${path}/${child[own] ?? ''}`;
    writes.push({
      write: 'update',
      uid,
      documentId: String(child.documentId),
      data: { [name]: childPath },
      params: { status: 'draft', ...inLocale },
    });
    if (writes.length <= mostBelow) writes.push(...(await below(String(child.documentId), childPath, { ...tree, levels: levels - 1 })));
  }
  return writes;
}

const has = (object: object, key: string) => Object.hasOwn(object, key);
const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The text of blocks, and of Markdown or HTML without their marks. */
function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOfNode).join(' ').replaceAll(/\s+/g, ' ').trim();
  return String(value ?? '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[#>*_`~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function textOfNode(node: unknown): string {
  if (typeof node !== 'object' || node === null) return '';
  const { text, children } = node as { readonly text?: unknown; readonly children?: unknown };
  return typeof text === 'string' ? text : listOf(children).map(textOfNode).join('');
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1);
  const end = start.lastIndexOf(' ');
  // Half of a surrogate pair would not be text.
  return `${(end > length / 2 ? start.slice(0, end) : start).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
