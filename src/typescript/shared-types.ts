/** The types in every written file after the project's, used or not: `JsonValue`, blocks, relations
 *  in bodies. */

const source = `
/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A document of a relation that leads to any type; \`__type\` is its uid. */
export interface AnyDocument {
  __type: string;
  id: number;
  documentId: string;
  [attribute: string]: unknown;
}

/** An entry of a dynamic zone: the component, and its uid. */
export type ZoneEntry<Uid, Component> = { __component: Uid } & Component;

/** One of the sizes of an image. */
export interface FileFormat {
  name: string;
  hash: string;
  ext: string;
  mime: string;
  path: string | null;
  width: number;
  height: number;
  size: number;
  sizeInBytes?: number;
  url: string;
}

/** The sizes of an image by their names. */
export interface FileFormats {
  large?: FileFormat;
  medium?: FileFormat;
  small?: FileFormat;
  thumbnail?: FileFormat;
  [name: string]: FileFormat | undefined;
}

export interface BlocksText {
  type: 'text';
  text: string;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  code?: boolean;
}

export interface BlocksLink {
  type: 'link';
  url: string;
  children: BlocksText[];
}

export interface BlocksListItem {
  type: 'list-item';
  children: (BlocksText | BlocksLink)[];
}

export interface BlocksList {
  type: 'list';
  format: 'ordered' | 'unordered';
  children: (BlocksListItem | BlocksList)[];
}

export interface BlocksImage {
  type: 'image';
  image: {
    name: string;
    alternativeText?: string | null;
    url: string;
    caption?: string | null;
    width?: number | null;
    height?: number | null;
    formats?: Record<string, unknown>;
    hash: string;
    ext: string;
    mime: string;
    size: number;
    previewUrl?: string | null;
    provider: string;
    createdAt: string;
    updatedAt: string;
  };
  children: [{ type: 'text'; text: '' }];
}

/** The blocks of Strapi's editor, in the shape that \`@strapi/blocks-react-renderer\` takes. */
export type BlocksContent = (
  | { type: 'paragraph'; children: (BlocksText | BlocksLink)[] }
  | { type: 'heading'; level: 1 | 2 | 3 | 4 | 5 | 6; children: (BlocksText | BlocksLink)[] }
  | { type: 'quote'; children: (BlocksText | BlocksLink)[] }
  | { type: 'code'; language?: string | null; children: BlocksText[] }
  | BlocksList
  | BlocksImage
)[];

/** A document in a body: its documentId, its row id, or an object with one of them. */
export type DocumentInput = string | number | { documentId: string; locale?: string | null } | { id: number };

/** A document of any type in a body. */
export type AnyDocumentInput = { __type: string; documentId: string; locale?: string | null } | { __type: string; id: number };

/** Changes links without naming all of them; \`set\` replaces them. A connected document goes to the end, or to its \`position\`. */
export interface RelationChange<Target = DocumentInput> {
  set?: readonly Target[];
  connect?: readonly (Target | PositionedDocument)[];
  disconnect?: readonly Target[];
}

export interface PositionedDocument {
  __type?: string;
  documentId?: string;
  id?: number;
  locale?: string | null;
  position?: { start: true } | { end: true } | { before: string | number } | { after: string | number };
}

export type ToOneInput<Target = DocumentInput> = Target | RelationChange<Target> | null;
export type ToManyInput<Target = DocumentInput> = readonly Target[] | RelationChange<Target> | null;

/** A new component, or the \`id\` of a stored one with the attributes that change. */
export type ComponentInput<Component> = Component | ({ id: number } & Partial<Component>);
`;

export const sharedTypes: string = source.trimStart();

/** Names that a project's types cannot have: this file's, and those of the language in use. */
export const takenNames: readonly string[] = [
  ...[...source.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = '']) => name),
  'Schema',
  'Date',
  'Partial',
  'Record',
];
