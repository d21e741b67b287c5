/** A project with something hidden in every way there is, in versions that differ in nothing but that. */
import type { SeedContent } from '../../src/demo-content/content.ts';
import { component, relation, schemaFiles, shared, translated } from './schema-files.ts';
import { seedDocuments, seedImage, seedLocales } from './seeds.ts';
import type { ServedOptions } from './served-project.ts';
import type { Files } from './write-files.ts';

export type Version = 'alpha' | 'beta';

/** Which version of what: private values and passwords; drafts, unreadable types and creators. */
export interface Hidden {
  readonly values: Version;
  readonly entries: Version;
}

const hush = {
  hush: { type: 'string', private: true },
  hushText: { type: 'text', private: true },
  hushNumber: { type: 'integer', private: true },
  hushBig: { type: 'biginteger', private: true },
  hushDecimal: { type: 'decimal', private: true },
  hushFlag: { type: 'boolean', private: true },
  hushDay: { type: 'date', private: true },
  hushMoment: { type: 'datetime', private: true },
  hushLevel: { type: 'enumeration', enum: ['alpha', 'beta', 'mid'], private: true },
  hushJson: { type: 'json', private: true },
  hushUid: { type: 'uid', private: true },
  code: { type: 'password' },
};

const hushValues = (version: Version) => {
  const isFirst = version === 'alpha';
  return {
    hush: `${version} value`,
    hushText: `${version} text`,
    hushNumber: isFirst ? 1 : 9,
    hushBig: isFirst ? '1' : '9',
    hushDecimal: isFirst ? 1.5 : 9.5,
    hushFlag: isFirst,
    hushDay: isFirst ? '2001-01-01' : '2009-09-09',
    hushMoment: isFirst ? '2001-01-01T00:00:00.000Z' : '2009-09-09T00:00:00.000Z',
    hushLevel: version,
    hushJson: { [version]: version },
    hushUid: `${version}-uid`,
    code: `${version}-Pass-1`,
  };
};

const userUid = 'plugin::users-permissions.user';

const reportFile = 'src/api/report/content-types/report/schema.json';
const plainFiles = schemaFiles(
  {
    article: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        rank: { type: 'integer', ...shared },
        ...hush,
        author: relation('manyToOne', 'person', { inversedBy: 'articles' }),
        readers: relation('manyToMany', 'person'),
        topics: relation('manyToMany', 'topic', { inversedBy: 'articles' }),
        hushTopic: relation('manyToOne', 'topic', { private: true }),
        cover: { type: 'media', multiple: false, ...shared },
        hushCover: { type: 'media', multiple: false, private: true, ...shared },
        part: component('piece', translated),
        parts: component('piece', { repeatable: true, ...translated }),
        hushPart: component('piece', { private: true, ...translated }),
        zone: { type: 'dynamiczone', components: ['part.piece', 'part.link'], ...translated },
        about: { type: 'relation', relation: 'morphToOne' },
        attached: { type: 'relation', relation: 'morphToMany' },
      },
    },
    topic: {
      attributes: {
        name: { type: 'string' },
        ...hush,
        articles: relation('manyToMany', 'article', { mappedBy: 'topics' }),
        parent: relation('manyToOne', 'topic', { inversedBy: 'children' }),
        children: relation('oneToMany', 'topic', { mappedBy: 'parent' }),
        patron: relation('oneToOne', 'person'),
      },
    },
    person: {
      attributes: {
        name: { type: 'string' },
        age: { type: 'integer' },
        ...hush,
        articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
      },
    },
    report: { attributes: { title: { type: 'string' }, owner: { type: 'relation', relation: 'manyToOne', target: userUid } } },
  },
  {
    piece: {
      label: { type: 'string' },
      ...hush,
      person: relation('oneToOne', 'person'),
      topic: relation('oneToOne', 'topic'),
      picture: { type: 'media', multiple: false },
    },
    link: { label: { type: 'string' }, hush: { type: 'string', private: true }, to: relation('oneToOne', 'article') },
  },
);
export const hiddenFiles: Files = {
  ...plainFiles,
  [reportFile]: { ...(plainFiles[reportFile] as object), options: { draftAndPublish: false, populateCreatorFields: true } },
};

const open = (...names: string[]) =>
  names.flatMap((name) => ['find', 'findOne', 'aggregate'].map((action) => `api::${name}.${name}.${action}`));

/** Fills a database. Whatever a version has more comes last, so that the row ids of the rest stay the same. */
export function hiddenContent({ values, entries }: Hidden): Pick<ServedOptions, 'types' | 'locales' | 'users' | 'public' | 'tokens'> {
  const own = hushValues(values);
  const isFirst = entries === 'alpha';
  const person = isFirst ? 'ada' : 'ben';
  const piece = (label: string) => ({ label, ...own, person, topic: 'sea', picture: 'lamp' });
  const article = (title: string, rank: number) => ({
    title,
    rank,
    ...own,
    author: person,
    readers: isFirst ? ['ada'] : ['ada', 'ben'],
    topics: ['sea', 'sky'],
    hushTopic: values === 'alpha' ? 'sea' : 'sky',
    cover: 'lamp',
    hushCover: values === 'alpha' ? 'lamp' : 'wave',
    part: piece(`${title} part`),
    parts: [piece('first'), piece('second')],
    hushPart: { label: `${values} label` },
    zone: [
      { __component: 'part.piece', ...piece('zone') },
      { __component: 'part.link', label: 'link', hush: `${values} value`, to: 'two' },
    ],
    about: { type: 'api::person.person', key: person },
    attached: [
      { type: 'api::topic.topic', key: 'sea' },
      { type: 'api::person.person', key: person },
    ],
  });
  const types: SeedContent['types'] = [
    { type: 'plugin::upload.file', documents: seedDocuments({ lamp: seedImage('lamp'), wave: seedImage('wave') }) },
    {
      type: 'admin::user',
      documents: seedDocuments({
        root: {
          firstname: 'Rita',
          lastname: 'Root',
          username: 'rita',
          email: `${entries}@admin.example`,
          password: `${entries}-Pass-1`,
          isActive: isFirst,
          blocked: !isFirst,
          resetPasswordToken: `${entries} token`,
          registrationToken: `${entries} token`,
        },
      }),
    },
    {
      type: 'api::person.person',
      documents: seedDocuments({
        ada: { name: `${entries} Ada`, age: isFirst ? 1 : 9, ...hushValues(entries) },
        ben: { name: `${entries} Ben`, age: isFirst ? 9 : 1, ...hushValues(entries) },
        ...(isFirst ? {} : { cyd: { name: 'beta Cyd' } }),
      }),
    },
    {
      type: 'api::topic.topic',
      documents: seedDocuments({
        sea: { name: 'Sea', ...own, patron: person },
        sky: { name: 'Sky', ...own, parent: 'sea' },
        sun: { name: 'Sun' },
      }),
    },
    {
      type: 'api::article.article',
      documents: [
        {
          key: 'one',
          status: 'published',
          data: article('One', 1),
          draft: { title: `${entries} one`, rank: isFirst ? 1 : 9, topics: isFirst ? ['sea'] : ['sun'] },
          updatedAt: '2024-02-02T00:00:00.000Z',
          translations: [{ locale: 'de', status: 'published', data: { title: 'Eins' }, draft: { title: `${entries} eins` } }],
        },
        { key: 'two', status: 'published', data: article('Two', 2), ...(isFirst ? {} : { draft: { title: 'beta two' } }) },
        { key: 'three', status: 'published', data: { title: 'Three', rank: 3 } },
        ...(isFirst ? [] : [{ key: 'never', status: 'draft' as const, data: { ...article('beta never', 4), zone: [] } }]),
      ],
    },
    {
      type: 'api::report.report',
      documents: seedDocuments({ first: { title: 'First', owner: 'ada' }, second: { title: 'Second' } }),
    },
  ];
  const user = (username: string) => ({ username, email: `${username}@users.example`, password: `${values}-Pass-1` });
  return {
    locales: seedLocales('en', 'de'),
    types,
    users: [user('ada'), user('ben')],
    public: open('article', 'topic', 'report'),
    tokens: {
      users: [
        ...open('article', 'topic', 'report'),
        'plugin::users-permissions.user.find',
        'plugin::users-permissions.user.findOne',
        'plugin::users-permissions.user.count',
      ],
      editors: ['article', 'topic', 'report'].flatMap((name) =>
        ['find', 'findOne', 'create', 'update', 'delete', 'aggregate'].map((action) => `api::${name}.${name}.${action}`),
      ),
    },
  };
}

/** Statements that set columns which content cannot set: creators, and the tokens of mails. */
export const hiddenColumns = ({ values, entries }: Hidden): readonly string[] => [
  // Roles and their rights are made by the start, which gives them ids and times of their own.
  ...['up_roles', 'up_permissions'].map(
    (table) => `UPDATE ${table} SET document_id = '${table} ' || id, created_at = NULL, updated_at = NULL, published_at = NULL`,
  ),
  `UPDATE up_users SET reset_password_token = '${values} token', confirmation_token = '${values} token'`,
  ...(entries === 'alpha'
    ? [
        'UPDATE articles SET created_by_id = (SELECT MIN(id) FROM admin_users)',
        'UPDATE topics SET created_by_id = (SELECT MIN(id) FROM admin_users)',
      ]
    : [
        'UPDATE articles SET updated_by_id = (SELECT MIN(id) FROM admin_users)',
        'UPDATE persons SET created_by_id = (SELECT MIN(id) FROM admin_users)',
      ]),
  'UPDATE reports SET created_by_id = (SELECT MIN(id) FROM admin_users), updated_by_id = (SELECT MIN(id) FROM admin_users)',
];
