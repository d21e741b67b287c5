/** A hidden attribute by another name: whatever is not spelt like a visible one is refused, and what is spelt strangely is only text. Every text
 *  that a request can bring goes to the database as a value. */
import { afterAll, describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { bookPath, useLibrary } from '../../support/library/library.ts';
import { words } from '../../support/words.ts';

const hidden = ['acquisitionNote', 'passcode', 'createdBy'];
/** Each `…` of a pattern stands for the text. */
const filled = (pattern: string, text: string) => pattern.replaceAll('…', () => text);

const spellings: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`,
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  (name) => name.replace('s', '\u017f'),
  (name) => name.replace('o', '\u043e'),
  (name) => name.replace('c', '\u0441'),
  (name) => name.normalize('NFD').replace('e', 'e\u0301'),
  (name) => [...name].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  ...[
    ...words`
      … …_id t0.… t1.… books.… main.books.… public.books.… id.… title.… .… …. __proto__.… constructor.…
      "…" t1"."… '…' […] …-- …/**/ …::text …,title title->… $…
    `,
    ...['`…`', ' …', '… ', '\t…', '…\0', '\0…', '…\u200b', '\ufeff…', '…) OR (1=1', '… AS title'],
  ].map((pattern) => (name: string) => filled(pattern, name)),
];
const places = words`
  filters[…][$startsWith]=h filters[…]=x filters[$or][0][…][$notNull]=true filters[$not][…][$null]=true
  filters[subjects][books][…][$contains]=h sort=… sort=…:desc sort[0]=… sort[…]=asc fields=… fields[0]=…
  populate=… populate[0]=… populate[…]=true populate[subjects][populate][books][fields]=…
  populate[subjects][filters][books][…]=x populate[subjects][sort]=books.…
`;

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
const strings = [
  ...['$eqi', '$ne', '$gt', '$in', '$containsi', '$startsWith', '$endsWithi'].map((operator) => `filters[title][${operator}]=…`),
  ...words`title slug blurb body genre pages createdAt documentId id locale`.flatMap((name) =>
    ['$eq', '$contains'].map((operator) => `filters[${name}][${operator}]=…`),
  ),
  ...words`
    filters[title][$between][0]=…&filters[title][$between][1]=… filters[title][$null]=… filters[subjects][name]=…
    filters[summary][origin][place][$contains]=… filters[cover][name]=… filters[…]=1 filters[title][…]=1 filters[title][$…]=1
    sort=… sort=title:… sort[title]=… sort[…]=asc fields=… populate=… populate[subjects][fields]=… populate[subjects][sort]=…
    populate[sections][on][…]=true populate[subjects][count]=… locale=… locale[0]=en&locale[1]=… status=… publicationFilter=…
    hasPublishedVersion=… _q=… pagination[page]=… pagination[start]=…&pagination[limit]=… pagination[withCount]=… …=1
  `,
];

describe.each(anyEngine)('%s: spellings', (engine) => {
  const library = useLibrary(engine, { LECTERN_PROFILE: 'specification' });
  afterAll(() => expect(library.server.output.stderr).not.toContain('unexpected error'));
  const leakedIn = (text: string) => text.match(/hush|\$2[aby]\$|Passcode-1/)?.[0];

  describe.each(hidden)('%s', (name) => {
    it.each(places)('is refused as %s, however it is spelt', async (place) => {
      // Each spelling is sent to every other place, with one of the three names.
      for (const spell of spellings.filter(
        (_, at) => (at + places.indexOf(place) + 2 * hidden.indexOf(name)) % (2 * hidden.length) === 0,
      )) {
        const query = filled(place, encodeURIComponent(spell(name)));
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
      // Each place gets every other payload.
      ...strings.filter((_, at) => (at + payloads.indexOf(payload)) % 2 === 0).map((place) => `/api/books?${filled(place, text)}`),
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

/** Parts of queries in the databases' and in Strapi's own languages. */
const unknownParameters = words`
  where _where lookup having select on joins and or $and $or not query params qb whereRaw orderBy groupBy filter filters_ _filters Filters
`;

describe.each(anyEngine)('%s: unknown parameters', (engine) => {
  const strict = useLibrary(engine);
  const lenient = useLibrary(engine, { LECTERN_PROFILE: 'strapi', LECTERN_API_STRICT_PARAMS: 'false' });

  it.each(unknownParameters)('%s is refused, or reaches no condition', async (name) => {
    const list = '/api/books?sort=title&populate=subjects';
    const all = (await lenient.ask('full', list)).text;
    const below = ['[acquisitionNote][$startsWith]', '[title]', '[createdBy][password][$startsWith]', '[$and][0][t0.title]', ''];
    for (const [at, path] of below.entries()) {
      const parameter = `${encodeURIComponent(name)}${path}=nothing`;
      expect((await strict.ask('full', `${list}&${parameter}`)).status, parameter).toBe(400);
      // One half goes to the lenient server, the other one within `populate`.
      if ((at + unknownParameters.indexOf(name)) % 2 === 0) {
        expect((await lenient.ask('full', `${list}&${parameter}`)).text, parameter).toBe(all);
        continue;
      }
      const nested = `/api/books?sort=title&populate[subjects][${encodeURIComponent(name)}]${path}=nothing`;
      expect((await strict.ask('full', nested)).status, nested).toBe(400);
    }
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
    const library = useLibrary(engine, profile === 'specification' ? undefined : { LECTERN_PROFILE: profile });
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
