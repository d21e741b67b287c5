/** The content types of a small library: every attribute type, every kind of relation, components in components, a dynamic zone. No name is shared
 *  with the recorded project, so that nothing can have been made for that one. */
import { type Attributes, plainAttributes, relation, schemaFiles, shared, translated, type WrittenType } from '../schema-files.ts';
import type { Files } from '../write-files.ts';

const types: Readonly<Record<string, WrittenType>> = {
  book: {
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
    attributes: { number: { type: 'string', unique: true }, writer: relation('oneToOne', 'writer', { mappedBy: 'card' }) },
  },
  subject: {
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
    attributes: { borrower: { type: 'string' }, due: { type: 'datetime' }, book: relation('manyToOne', 'book') },
  },
  remark: {
    attributes: {
      text: { type: 'text' },
      about: { type: 'relation', relation: 'morphToOne' },
      attached: { type: 'relation', relation: 'morphToMany' },
    },
  },
  specimen: {
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
    drafts: true,
    localized: true,
    attributes: {
      heading: { type: 'string', ...translated },
      featured: relation('oneToMany', 'book'),
      welcome: { type: 'component', component: 'print.summary', repeatable: false, ...translated },
    },
  },
  rules: { single: true, plural: 'rule-sets', attributes: { text: { type: 'text' } } },
  attic: { single: true, attributes: { text: { type: 'text' } } },
};

const components: Readonly<Record<string, Attributes>> = {
  summary: {
    headline: { type: 'string' },
    draftedBy: { type: 'string', private: true },
    picture: { type: 'media', multiple: false },
    origin: { type: 'component', component: 'print.origin', repeatable: false },
  },
  origin: { place: { type: 'string' }, year: { type: 'integer' } },
  edition: { year: { type: 'integer' }, publisher: { type: 'string' }, translator: relation('oneToOne', 'writer') },
  quotation: { words: { type: 'text' } },
  picture: { caption: { type: 'string' }, file: { type: 'media', multiple: false } },
  pointer: { label: { type: 'string' }, to: relation('oneToOne', 'book') },
};

export const librarySchemas: Files = schemaFiles(types, components, 'print');
