/** `Strapi-Encode-Source-Maps: true`: previews ask for texts that say where they come from. As in
 *  Strapi 5.54, zero-width characters after each text encode the document, attribute and path. */
import { setImmediate } from 'node:timers/promises';
import { type Attribute, type ContentModel, type ContentType, type Schema, schemaOf, targetOf } from '../../model/content-model.ts';

/** Milliseconds after which other requests have their turn. */
const turn = 5;

export interface SourceMaps {
  readonly model: ContentModel;
  /** Takes the number of bytes that a text grows by, and throws when there are too many. */
  readonly spend: (bytes: number) => void;
}

/** Encodes the texts of `{data: entry}` or `{data: [entries]}` in place; returns the same value. */
export async function encodeSourceMaps<T extends { readonly data?: unknown }>(body: T, type: ContentType, parts: SourceMaps): Promise<T> {
  const entries = Array.isArray(body.data) ? body.data : [body.data];
  let since = performance.now();
  for (const entry of entries) {
    if (isEntry(entry)) new EntryEncoder(entry, parts).walk(entry, type, '', undefined);
    if (performance.now() - since < turn) continue;
    await setImmediate();
    since = performance.now();
  }
  return body;
}

type Entry = Record<string, unknown>;
const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value);

const encodedTypes: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'biginteger',
  'date',
  'time',
  'datetime',
  'timestamp',
  'boolean',
  'enumeration',
  'json',
  'email',
]);
/** Strapi names the columns of two of them, so that `createdAt` and `updatedAt` are encoded. */
const plainKeys: ReadonlySet<string> = new Set(['id', 'documentId', 'locale', 'localizations', 'publishedAt']);

/** The attribute that was entered last. */
interface Parent {
  readonly attribute: Attribute;
  readonly path: string;
}

class EntryEncoder {
  readonly #parts: SourceMaps;
  readonly #documentId: string;
  readonly #locale: unknown;

  constructor({ documentId, locale }: Entry, parts: SourceMaps) {
    this.#parts = parts;
    this.#documentId = String(documentId);
    this.#locale = locale;
  }

  walk(entry: Entry, schema: Schema, path: string, above: Parent | undefined): void {
    let parent = above;
    for (const [key, value] of Object.entries(entry)) {
      const attribute = schema.attributes.get(key);
      if (attribute === undefined || value === null) continue;
      const here = path === '' ? key : `${path}.${key}`;
      if (attribute.kind !== 'scalar') {
        parent = { attribute, path: here };
        this.#enter(value, attribute, here, parent);
      } else if (!plainKeys.has(key)) {
        const encoded = this.#value(value, attribute.type, schema, here, key, parent);
        if (encoded !== value) entry[key] = encoded;
      }
    }
  }

  #enter(value: unknown, attribute: Attribute, path: string, parent: Parent): void {
    const items = Array.isArray(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      if (!isEntry(item)) continue;
      const schema = this.#schemaOf(attribute, item);
      if (schema !== undefined) this.walk(item, schema, Array.isArray(value) ? `${path}.${index}` : path, parent);
    }
  }

  #schemaOf(attribute: Attribute, item: Entry): Schema | undefined {
    const find = (uid: unknown) => schemaOf(this.#parts.model, uid as Schema['uid']);
    switch (attribute.kind) {
      case 'dynamiczone':
        return find(item.__component);
      case 'relation':
        return find(attribute.target ?? item.__type);
      default:
        return targetOf(attribute, this.#parts.model);
    }
  }

  #value(value: unknown, type: string, schema: Schema, path: string, key: string, parent: Parent | undefined): unknown {
    if (type === 'blocks') return Array.isArray(value) ? this.#blocks(value, schema, path) : value;
    if (typeof value !== 'string' || !encodedTypes.has(type)) return value;
    // Strapi has one path for all files of an attribute, and for the texts after it in an entry.
    const among = parent?.attribute.kind === 'media' && parent.attribute.cardinality === 'many';
    return this.#text(value, { type, path: among ? `${parent.path}.${key}` : path }, schema);
  }

  #text(text: string, source: { readonly type: string; readonly path: string; readonly fieldPath?: string }, schema: Schema): string {
    const encoded = encodeSource({
      documentId: this.#documentId,
      type: source.type,
      path: source.path,
      model: schema.uid,
      kind: schema.kind === 'component' ? undefined : schema.kind,
      locale: typeof this.#locale === 'string' && this.#locale !== '' ? this.#locale : undefined,
      fieldPath: source.fieldPath,
    });
    // Each of the characters takes three bytes.
    this.#parts.spend(3 * encoded.length);
    return text + encoded;
  }

  /** The first text of each block, or an image's description. Not of code, which would break. */
  #blocks(blocks: readonly unknown[], schema: Schema, path: string): readonly unknown[] {
    const mark = (text: string) => this.#text(text, { type: 'blocks', path, fieldPath: path }, schema);
    for (const block of blocks) if (isEntry(block)) markBlock(block, mark);
    return blocks;
  }
}

/** Deeper blocks stay as they are. */
const deepestBlock = 100;

function markBlock(block: Entry, mark: (text: string) => string, depth = 0): void {
  if (depth > deepestBlock) return;
  switch (block.type) {
    case 'image': {
      const { image } = block;
      if (isEntry(image) && typeof image.alternativeText === 'string' && image.alternativeText !== '')
        image.alternativeText = mark(image.alternativeText);
      return;
    }
    case 'list':
      for (const child of childrenOf(block)) {
        if (child.type === 'list-item') markFirstText(child, mark);
        else if (child.type === 'list') markBlock(child, mark, depth + 1);
      }
      return;
    case 'paragraph':
    case 'heading':
    case 'quote':
      markFirstText(block, mark);
  }
}

/** Returns whether there was a text. */
function markFirstText(node: Entry, mark: (text: string) => string, depth = 0): boolean {
  if (node.type === 'text' && typeof node.text === 'string') {
    node.text = mark(node.text);
    return true;
  }
  return depth <= deepestBlock && childrenOf(node).some((child) => markFirstText(child, mark, depth + 1));
}

const childrenOf = ({ children }: Entry): readonly Entry[] => (Array.isArray(children) ? children.filter(isEntry) : []);

const digits = ['\u200b', '\u200c', '\u200d', '\ufeff'];
/** The zero-width characters for each ASCII character: its code in base 4, with four digits. This
 *  is the encoding of `@vercel/stega`, which front ends decode. */
const invisible = Array.from({ length: 128 }, (_, code) => [64, 16, 4, 1].map((place) => digits[Math.floor(code / place) % 4]).join(''));
const start = (digits[0] ?? '').repeat(4);

function encodeSource(source: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(source)) if (value !== undefined) parameters.set(name, value);
  const json = JSON.stringify({ strapiSource: parameters.toString() });
  let encoded = start;
  for (let index = 0; index < json.length; index++) encoded += invisible[json.charCodeAt(index)] ?? '';
  return encoded;
}
