/** The content types of a small library: every attribute type, every kind of relation, components in components, a dynamic zone. No name is shared
 *  with the recorded project, so that nothing can have been made for that one. */
import { plainAttributes } from '../schema-files.ts';
import type { Files } from '../write-files.ts';

interface TypeOptions {
  readonly single?: true;
  readonly plural: string;
  readonly drafts?: true;
  readonly localized?: true;
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const schemaOf = (name: string, { single, plural, drafts, localized, attributes }: TypeOptions) => ({
  kind: single ? 'singleType' : 'collectionType',
  collectionName: plural.replaceAll('-', '_'),
  info: { singularName: name, pluralName: plural, displayName: name },
  options: { draftAndPublish: drafts === true },
  pluginOptions: localized ? { i18n: { localized: true } } : {},
  attributes,
});

const translated = { pluginOptions: { i18n: { localized: true } } };
const shared = { pluginOptions: { i18n: { localized: false } } };
const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});

const types: Readonly<Record<string, TypeOptions>> = {
  book: {
    plural: 'books',
    drafts: true,
    localized: true,
    attributes: {
      title: { type: 'string', required: true, ...translated },
      slug: { type: 'uid', targetField: 'title', ...translated },
      blurb: { type: 'text', ...translated },
      body: { type: 'richtext', ...translated },
      genre: { type: 'enumeration', enum: ['essay', 'novel', 'verse'], ...shared },
      pages: { type: 'integer', ...shared },
      passcode: { type: 'password', ...shared },
      acquisitionNote: { type: 'string', private: true, ...shared },
      writer: relation('manyToOne', 'writer', { inversedBy: 'books' }),
      subjects: relation('manyToMany', 'subject', { inversedBy: 'books' }),
      shelf: relation('manyToOne', 'shelf', { inversedBy: 'books' }),
      sequel: relation('oneToOne', 'book'),
      similar: relation('oneToMany', 'book'),
      cover: { type: 'media', multiple: false, ...shared },
      scans: { type: 'media', multiple: true, ...shared },
      summary: { type: 'component', component: 'print.summary', repeatable: false, ...translated },
      editions: { type: 'component', component: 'print.edition', repeatable: true, ...shared },
      sections: { type: 'dynamiczone', components: ['print.quotation', 'print.picture', 'print.pointer'], ...translated },
    },
  },
  writer: {
    plural: 'writers',
    attributes: {
      name: { type: 'string' },
      born: { type: 'date' },
      email: { type: 'email', private: true },
      books: relation('oneToMany', 'book', { mappedBy: 'writer' }),
      card: relation('oneToOne', 'card', { inversedBy: 'writer' }),
      remarks: { type: 'relation', relation: 'morphMany', target: 'api::remark.remark', morphBy: 'about' },
    },
  },
  card: {
    plural: 'cards',
    attributes: { number: { type: 'string', unique: true }, writer: relation('oneToOne', 'writer', { mappedBy: 'card' }) },
  },
  subject: {
    plural: 'subjects',
    attributes: {
      name: { type: 'string' },
      rank: { type: 'integer' },
      parent: relation('manyToOne', 'subject', { inversedBy: 'children' }),
      children: relation('oneToMany', 'subject', { mappedBy: 'parent' }),
      books: relation('manyToMany', 'book', { mappedBy: 'subjects' }),
    },
  },
  shelf: {
    plural: 'shelves',
    attributes: { code: { type: 'string' }, books: relation('oneToMany', 'book', { mappedBy: 'shelf' }) },
  },
  loan: {
    plural: 'loans',
    attributes: { borrower: { type: 'string' }, due: { type: 'datetime' }, book: relation('manyToOne', 'book') },
  },
  remark: {
    plural: 'remarks',
    attributes: {
      text: { type: 'text' },
      about: { type: 'relation', relation: 'morphToOne' },
      attached: { type: 'relation', relation: 'morphToMany' },
    },
  },
  specimen: {
    plural: 'specimens',
    attributes: {
      label: { type: 'string' },
      str: { type: 'string' },
      txt: { type: 'text' },
      rich: { type: 'richtext' },
      mail: { type: 'email' },
      handle: { type: 'uid' },
      level: { type: 'enumeration', enum: ['high', 'low', 'mid'] },
      ...plainAttributes,
      blocks: { type: 'blocks' },
      code: { type: 'password' },
      hidden: { type: 'string', private: true },
    },
  },
  entrance: {
    single: true,
    plural: 'entrances',
    drafts: true,
    localized: true,
    attributes: {
      heading: { type: 'string', ...translated },
      featured: relation('oneToMany', 'book'),
      welcome: { type: 'component', component: 'print.summary', repeatable: false, ...translated },
    },
  },
  rules: { single: true, plural: 'rule-sets', attributes: { text: { type: 'text' } } },
  attic: { single: true, plural: 'attics', attributes: { text: { type: 'text' } } },
};

const components: Readonly<Record<string, object>> = {
  summary: {
    collectionName: 'components_print_summaries',
    attributes: {
      headline: { type: 'string' },
      draftedBy: { type: 'string', private: true },
      picture: { type: 'media', multiple: false },
      origin: { type: 'component', component: 'print.origin', repeatable: false },
    },
  },
  origin: { collectionName: 'components_print_origins', attributes: { place: { type: 'string' }, year: { type: 'integer' } } },
  edition: {
    collectionName: 'components_print_editions',
    attributes: { year: { type: 'integer' }, publisher: { type: 'string' }, translator: relation('oneToOne', 'writer') },
  },
  quotation: { collectionName: 'components_print_quotations', attributes: { words: { type: 'text' } } },
  picture: {
    collectionName: 'components_print_pictures',
    attributes: { caption: { type: 'string' }, file: { type: 'media', multiple: false } },
  },
  pointer: { collectionName: 'components_print_pointers', attributes: { label: { type: 'string' }, to: relation('oneToOne', 'book') } },
};

export const librarySchemas: Files = {
  'package.json': { name: 'library', private: true },
  ...Object.fromEntries(
    Object.entries(types).map(([name, options]) => [`src/api/${name}/content-types/${name}/schema.json`, schemaOf(name, options)]),
  ),
  ...Object.fromEntries(
    Object.entries(components).map(([name, component]) => [
      `src/components/print/${name}.json`,
      { info: { displayName: name }, options: {}, ...component },
    ]),
  ),
};
