/** The content of the library, and the rights to it. Small enough to know by heart. */
import type { SeedContent, SeedToken } from '../../../src/demo-content/content.ts';
import { seedDocuments, seedImage, seedLocales } from '../seeds.ts';

export const apiTokenSalt = 'library-api-token-salt';
export const jwtSecret = 'library-jwt-secret-of-some-length';
export const reader = { username: 'reader', email: 'reader@library.example', password: 'Reader-Pass-1' };

export const tokens = {
  full: { name: 'full', type: 'full-access', token: 'f'.repeat(64) },
  readonly: { name: 'readonly', type: 'read-only', token: 'a'.repeat(64) },
  /** Books and loans, nothing else. */
  custom: {
    name: 'custom',
    type: 'custom',
    token: 'c'.repeat(64),
    permissions: ['api::book.book.find', 'api::book.book.findOne', 'api::loan.loan.find'],
  },
  /** Books with their drafts. */
  editor: {
    name: 'editor',
    type: 'custom',
    token: 'e'.repeat(64),
    permissions: ['api::book.book.find', 'api::book.book.findOne', 'api::book.book.findDraft'],
  },
  /** Expired by `libraryProject`. */
  expired: { name: 'expired', type: 'full-access', token: 'd'.repeat(64) },
} as const satisfies Record<string, SeedToken>;

const image = (name: string) => ({ ...seedImage(name), width: 8, height: 8, size: 0.25, alternativeText: `a ${name}` });

const publicly = [
  'api::book.book.find',
  'api::book.book.findOne',
  'api::subject.subject.find',
  'api::subject.subject.findOne',
  'api::specimen.specimen.find',
  'api::specimen.specimen.findOne',
  'api::entrance.entrance.find',
  'api::rules.rules.find',
  'api::attic.attic.find',
];

const textsOf = (word: string) => ({
  str: word,
  txt: `${word} text`,
  rich: `${word} *rich*`,
  mail: `${word}@x.example`,
  handle: `${word}-handle`,
});
const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

export const libraryContent: SeedContent = {
  locales: seedLocales('en', 'de'),
  types: [
    { type: 'plugin::upload.file', documents: seedDocuments({ lamp: image('lamp'), wave: image('wave'), scan: image('scan') }) },
    {
      type: 'api::subject.subject',
      documents: seedDocuments({
        science: { name: 'Science', rank: 1 },
        physics: { name: 'Physics', rank: 2, parent: 'science' },
        optics: { name: 'Optics', rank: 3, parent: 'physics' },
        verse: { name: 'Verse', rank: 4 },
      }),
    },
    { type: 'api::shelf.shelf', documents: seedDocuments({ north: { code: 'N1' }, south: { code: 'S1' } }) },
    { type: 'api::card.card', documents: seedDocuments({ a1: { number: 'A-1' }, z9: { number: 'Z-9' } }) },
    {
      type: 'api::writer.writer',
      documents: seedDocuments({
        ada: { name: 'Ada Quill', born: '1970-01-01', email: 'ada@private.example', card: 'a1' },
        bea: { name: 'Bea Ink', born: '1980-02-02', email: 'bea@private.example' },
        cyd: { name: 'Cyd Page', email: 'cyd@private.example' },
      }),
    },
    {
      type: 'api::book.book',
      documents: [
        {
          key: 'lanterns',
          status: 'published',
          createdAt: '2024-01-01T08:00:00.000Z',
          data: {
            title: 'Lanterns',
            slug: 'lanterns',
            blurb: 'On light',
            body: '# Light',
            genre: 'essay',
            pages: 120,
            passcode: 'Passcode-1',
            acquisitionNote: 'hush-lanterns',
            writer: 'ada',
            subjects: ['optics', 'science'],
            shelf: 'north',
            similar: ['tides', 'maps'],
            cover: 'lamp',
            scans: ['scan', 'wave'],
            summary: { headline: 'Light', draftedBy: 'hush-drafter', picture: 'lamp', origin: { place: 'Oslo', year: 1999 } },
            editions: [
              { year: 2001, publisher: 'Fjord', translator: 'bea' },
              { year: 1999, publisher: 'Harbour' },
            ],
            sections: [
              { __component: 'print.quotation', words: 'Let there be' },
              { __component: 'print.picture', caption: 'A lamp', file: 'lamp' },
              { __component: 'print.pointer', label: 'See', to: 'maps' },
              { __component: 'print.quotation', words: 'The end' },
            ],
          },
          translations: [
            {
              locale: 'de',
              status: 'published',
              data: { title: 'Laternen', slug: 'laternen', summary: { headline: 'Licht' } },
            },
          ],
        },
        {
          key: 'maps',
          status: 'published',
          createdAt: '2024-02-01T08:00:00.000Z',
          updatedAt: '2024-03-01T08:00:00.000Z',
          data: {
            title: 'Maps',
            slug: 'maps',
            genre: 'novel',
            pages: 300,
            acquisitionNote: 'hush-maps',
            writer: 'ada',
            subjects: ['science'],
            shelf: 'south',
            sequel: 'lanterns',
            editions: [{ year: 2010, publisher: 'Fjord' }],
          },
          draft: { title: 'Maps, revised' },
        },
        {
          key: 'tides',
          status: 'published',
          createdAt: '2024-03-01T08:00:00.000Z',
          data: {
            title: 'tides',
            slug: 'tides',
            genre: 'verse',
            pages: 80,
            writer: 'bea',
            subjects: ['verse', 'physics', 'science'],
            cover: 'wave',
            summary: { headline: 'Water' },
          },
        },
        {
          key: 'quiet',
          status: 'published',
          createdAt: '2024-04-01T08:00:00.000Z',
          data: { title: 'Quiet', slug: 'quiet', acquisitionNote: 'hush-quiet' },
        },
        {
          key: 'embers',
          status: 'draft',
          createdAt: '2024-05-01T08:00:00.000Z',
          data: { title: 'Embers', slug: 'embers', genre: 'novel', pages: 50, writer: 'bea' },
        },
      ],
    },
    { type: 'api::loan.loan', documents: seedDocuments({ zoe: { borrower: 'Zoe', due: '2024-06-01T10:00:00.000Z', book: 'lanterns' } }) },
    {
      type: 'api::remark.remark',
      documents: seedDocuments({
        kind: { text: 'Kind', about: { type: 'api::writer.writer', key: 'ada' } },
        dusty: { text: 'Dusty', about: { type: 'api::shelf.shelf', key: 'north' } },
        mixed: {
          text: 'Mixed',
          attached: [
            { type: 'api::subject.subject', key: 'optics' },
            { type: 'api::shelf.shelf', key: 'north' },
            { type: 'api::writer.writer', key: 'ada' },
          ],
        },
      }),
    },
    {
      type: 'api::specimen.specimen',
      documents: seedDocuments({
        a: {
          label: 'a',
          ...textsOf('alpha'),
          level: 'high',
          whole: -3,
          big: '-9223372036854775808',
          flt: -2.5,
          dec: -1.25,
          flag: false,
          day: '1969-12-31',
          clock: '08:00:00',
          moment: '1969-12-31T23:59:59.999Z',
          stamp: '1969-12-31T23:59:59.999Z',
          doc: { k: 'one', list: [1, 2] },
          blocks: paragraph('first words'),
          code: 'Specimen-Code-1',
          hidden: 'hush-a',
        },
        b: {
          label: 'b',
          ...textsOf('beta'),
          level: 'low',
          whole: 7,
          big: '9007199254740993',
          flt: 0.5,
          dec: 10.75,
          flag: true,
          day: '2024-02-29',
          clock: '12:30:15.500',
          moment: '2024-02-29T12:34:56.789Z',
          stamp: '2024-02-29T12:34:56.789Z',
          doc: { k: 'two' },
          blocks: paragraph('second words'),
          hidden: 'hush-b',
        },
        c: {
          label: 'c',
          ...textsOf('gamma'),
          level: 'mid',
          whole: 2147483647,
          big: '9223372036854775807',
          flt: 1234.5,
          dec: 99999999.25,
          day: '9999-12-31',
          clock: '23:59:59.999',
          moment: '2999-12-31T23:59:59.000Z',
          stamp: '2037-12-31T23:59:59.000Z',
          doc: [3, 4],
          blocks: paragraph('third words'),
        },
        /** Nothing but null. */
        n: { label: 'n' },
        t1: { label: 't1', str: 'Straße' },
        t2: { label: 't2', str: 'ÉCLAIR' },
        t3: { label: 't3', str: 'éclair' },
        t4: { label: 't4', str: '50%_off\\now' },
        t5: { label: 't5', str: '50x1off*now' },
        t6: { label: 't6', str: 'it\'s "quoted"; DROP TABLE specimens; --' },
        t7: { label: 't7', str: '' },
        t8: { label: 't8', str: 'Éclair 😀' },
      }),
    },
    {
      type: 'api::entrance.entrance',
      documents: [
        {
          key: 'entrance',
          status: 'published',
          data: { heading: 'Welcome', featured: ['tides', 'lanterns'], welcome: { headline: 'Come in' } },
          draft: { heading: 'Welcome, drafted' },
          translations: [{ locale: 'de', status: 'draft', data: { heading: 'Willkommen' } }],
        },
      ],
    },
    { type: 'api::rules.rules', documents: seedDocuments({ rules: { text: 'Be quiet' } }) },
  ],
  access: {
    public: publicly,
    authenticated: [
      ...publicly,
      'api::writer.writer.find',
      'api::writer.writer.findOne',
      'api::card.card.find',
      'api::remark.remark.find',
      'api::remark.remark.findOne',
    ],
    users: [reader],
    tokens: Object.values(tokens),
    apiTokenSalt,
  },
};
