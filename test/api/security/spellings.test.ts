/** A hidden attribute by another name: whatever is not spelt like a visible one is refused, and what is spelt strangely is only text. Every text
 *  that a request can bring goes to the database as a value. */
import { afterAll, describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { bookPath, useLibrary, useOwnLibrary } from '../../support/library/library.ts';

const hidden = ['acquisitionNote', 'passcode', 'createdBy'];
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`,
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  (name) => `${name}_id`,
  (name) => `t0.${name}`,
  (name) => `t1.${name}`,
  (name) => `books.${name}`,
  (name) => `main.books.${name}`,
  (name) => `public.books.${name}`,
  (name) => `id.${name}`,
  (name) => `title.${name}`,
  (name) => `.${name}`,
  (name) => `${name}.`,
  (name) => `"${name}"`,
  (name) => `t1"."${name}`,
  (name) => `\`${name}\``,
  (name) => `'${name}'`,
  (name) => `[${name}]`,
  (name) => ` ${name}`,
  (name) => `${name} `,
  (name) => `\t${name}`,
  (name) => `${name}\0`,
  (name) => `\0${name}`,
  (name) => `${name}\u200b`,
  (name) => `\ufeff${name}`,
  (name) => name.replace('s', '\u017f'),
  (name) => name.replace('o', '\u043e'),
  (name) => name.replace('c', '\u0441'),
  (name) => name.normalize('NFD').replace('e', 'e\u0301'),
  (name) => [...name].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  (name) => `${name}--`,
  (name) => `${name}/**/`,
  (name) => `${name}) OR (1=1`,
  (name) => `${name}::text`,
  (name) => `${name} AS title`,
  (name) => `${name},title`,
  (name) => `title->${name}`,
  (name) => `$${name}`,
  (name) => `__proto__.${name}`,
  (name) => `constructor.${name}`,
];
const places: readonly ((name: string) => string)[] = [
  (name) => `filters[${name}][$startsWith]=h`,
  (name) => `filters[${name}]=x`,
  (name) => `filters[$or][0][${name}][$notNull]=true`,
  (name) => `filters[$not][${name}][$null]=true`,
  (name) => `filters[subjects][books][${name}][$contains]=h`,
  (name) => `sort=${name}`,
  (name) => `sort=${name}:desc`,
  (name) => `sort[0]=${name}`,
  (name) => `sort[${name}]=asc`,
  (name) => `fields=${name}`,
  (name) => `fields[0]=${name}`,
  (name) => `populate=${name}`,
  (name) => `populate[0]=${name}`,
  (name) => `populate[${name}]=true`,
  (name) => `populate[subjects][populate][books][fields]=${name}`,
  (name) => `populate[subjects][filters][books][${name}]=x`,
  (name) => `populate[subjects][sort]=books.${name}`,
];

const payloads = [
  "' OR '1'='1",
  "'; DROP TABLE books; --",
  '"; DROP TABLE books; --',
  "') UNION SELECT password FROM up_users --",
  '1; SELECT pg_sleep(10)',
  "1' AND (SELECT 1 FROM (SELECT sleep(10)) x) --",
  '$1',
  '?1',
  ':id',
  '@id',
  '\\',
  "\\'",
  '%00',
  '/*',
  '*/',
  '--',
  "E'\\\\x27'",
  '#{1+1}',
  '{{7*7}}',
  '\u02bc; DROP TABLE books; --',
  '\uff07 OR 1=1',
];
const strings: readonly ((text: string) => string)[] = [
  ...['$eqi', '$ne', '$gt', '$in', '$containsi', '$startsWith', '$endsWithi'].map(
    (operator) => (text: string) => `filters[title][${operator}]=${text}`,
  ),
  ...['title', 'slug', 'blurb', 'body', 'genre', 'pages', 'createdAt', 'documentId', 'id', 'locale'].flatMap((name) =>
    ['$eq', '$contains'].map((operator) => (text: string) => `filters[${name}][${operator}]=${text}`),
  ),
  (text) => `filters[title][$between][0]=${text}&filters[title][$between][1]=${text}`,
  (text) => `filters[title][$null]=${text}`,
  (text) => `filters[subjects][name]=${text}`,
  (text) => `filters[summary][origin][place][$contains]=${text}`,
  (text) => `filters[cover][name]=${text}`,
  (text) => `filters[${text}]=1`,
  (text) => `filters[title][${text}]=1`,
  (text) => `filters[title][$${text}]=1`,
  (text) => `sort=${text}`,
  (text) => `sort=title:${text}`,
  (text) => `sort[title]=${text}`,
  (text) => `sort[${text}]=asc`,
  (text) => `fields=${text}`,
  (text) => `populate=${text}`,
  (text) => `populate[subjects][fields]=${text}`,
  (text) => `populate[subjects][sort]=${text}`,
  (text) => `populate[sections][on][${text}]=true`,
  (text) => `populate[subjects][count]=${text}`,
  (text) => `locale=${text}`,
  (text) => `locale[0]=en&locale[1]=${text}`,
  (text) => `status=${text}`,
  (text) => `publicationFilter=${text}`,
  (text) => `hasPublishedVersion=${text}`,
  (text) => `_q=${text}`,
  (text) => `pagination[page]=${text}`,
  (text) => `pagination[start]=${text}&pagination[limit]=${text}`,
  (text) => `pagination[withCount]=${text}`,
  (text) => `${text}=1`,
];

describe.each(anyEngine)('%s: spellings', (engine) => {
  const library = useOwnLibrary(engine, { LECTERN_PROFILE: 'specification' });
  afterAll(() => expect(library.server.output.stderr).not.toContain('unexpected error'));
  const leakedIn = (text: string) => text.match(/hush|\$2[aby]\$|Passcode-1/)?.[0];

  describe.each(hidden)('%s', (name) => {
    it.each(places.map((place) => [place('…'), place] as const))('is refused as %s, however it is spelt', async (_, place) => {
      for (const spell of spellings) {
        const query = place(encodeURIComponent(spell(name)));
        // Whoever may read everything else.
        const response = await library.ask('full', `/api/books?${query}`);
        expect(response.status, query).toBe(400);
        expect(leakedIn(response.text)).toBeUndefined();
      }
    });
  });

  it.each(payloads)('%s is text in every place', async (payload) => {
    const text = encodeURIComponent(payload);
    const paths = [
      ...strings.map((place) => `/api/books?${place(text)}`),
      `/api/books/${text}`,
      `${bookPath('lanterns')}?locale=${text}`,
      `/api/upload/files/${text}`,
      `/api/users/${text}`,
      `/api/users?filters[username]=${text}`,
    ];
    const started = performance.now();
    for (const path of paths) {
      const response = await library.ask('full', path);
      expect([200, 204, 400, 404], path).toContain(response.status);
      expect(leakedIn(response.text), path).toBeUndefined();
      // A condition that is always true would find books.
      if (/\[\$(?:eq|in|contains|startsWith)\]=/.test(decodeURIComponent(path)) && response.status === 200 && !path.includes('_q')) {
        expect((response.json() as { data: unknown }).data, path).toEqual([]);
      }
    }
    // No payload made the database sleep.
    expect(performance.now() - started).toBeLessThan(9_000);
    expect((await library.ask('full', '/api/books?status=draft&pagination[pageSize]=1')).json()).toMatchObject({
      meta: { pagination: { total: 5 } },
    });
  });
});

/** Patterns, and the labels of the texts among `50%_off\now` and `50x1off*now` that they match. */
const wildcards: readonly (readonly [pattern: string, labels: readonly string[]])[] = [
  ['%', ['t4']],
  ['_', ['t4']],
  ['\\', ['t4']],
  ['0%_o', ['t4']],
  ['0x1o', ['t5']],
  ['50__off', []],
  ['50%off', []],
  ['50..off', []],
  ['[5]0', []],
  ['[a-z]', []],
  ['50?', []],
  ['%%', []],
  ['\\%', []],
  ['f\\n', ['t4']],
  ['off*now', ['t5']],
  ['off\\*now', []],
];

describe.each(engines)('%s: wildcards', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const library = useLibrary(engine, { LECTERN_PROFILE: profile });
    const labelsOf = async (query: string) => {
      const response = await library.ask('public', `/api/specimens?${query}&fields=label&sort=label`);
      return (response.json() as { data: { label: string }[] }).data.map(({ label }) => label);
    };
    it.each(wildcards)('%s matches itself alone', async (pattern, labels) => {
      const text = encodeURIComponent(pattern);
      for (const query of [`filters[str][$contains]=${text}`, `filters[str][$containsi]=${text}`, `_q=${text}`])
        expect(await labelsOf(query), query).toEqual(labels);
      const whole = encodeURIComponent(`50${pattern}`);
      for (const operator of ['$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$eqi']) {
        const found = await labelsOf(`filters[str][${operator}]=${operator.startsWith('$starts') ? whole : text}`);
        expect(labels, `${operator} ${pattern}`).toEqual(expect.arrayContaining(found));
      }
    });
  });
});
