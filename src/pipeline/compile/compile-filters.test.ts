import { expect } from 'vitest';
import { printStatement } from '../../../test/support/stages/print-sql.ts';
import { ReadStages } from '../../../test/support/stages/read-stages.ts';
import { type DialectCase, testDialects } from '../../../test/support/stages/test-dialects.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Statement } from '../../sql/statement.ts';

/** What a filter on articles adds to the statement, and the values that it binds. */
const cases: readonly DialectCase[] = [
  {
    it: '$eq',
    query: 'filters[title]=bread',
    sqlite: 't1."title" = ? -- "bread"',
    postgres: 't1."title" = $2::text -- "bread"',
  },
  {
    it: '$eq of null',
    query: 'filters[title][$eq]',
    sqlite: 't1."title" IS NULL',
    postgres: 't1."title" IS NULL',
  },
  {
    it: '$ne',
    query: 'filters[rating][$ne]=3',
    sqlite: 't1."rating" <> ? -- 3',
    postgres: 't1."rating" <> $2::bigint -- 3',
  },
  {
    it: '$lt of an integer',
    query: 'filters[rating][$lt]=3',
    sqlite: 't1."rating" < ? -- 3',
    postgres: 't1."rating" < $2::bigint -- 3',
  },
  {
    it: '$gte of a text, in its sort order',
    query: 'filters[title][$gte]=m',
    sqlite: 't1."title" >= ? -- "m"',
    postgres: 't1."title" COLLATE "C" >= $2::text -- "m"',
  },
  {
    it: 'an integer beyond 64 bits',
    query: 'filters[rating][$lt]=99999999999999999999',
    sqlite: 't1."rating" < ? -- 100000000000000000000',
    postgres: 't1."rating" < $2::float8 -- 100000000000000000000',
  },
  {
    it: 'a bigint',
    query: 'filters[views]=9007199254740993',
    sqlite: 't1."views" = ? -- 9007199254740993n',
    postgres: 't1."views" = $2::bigint -- "9007199254740993"',
  },
  {
    it: 'a decimal',
    query: 'filters[price][$lte]=1.5',
    sqlite: 't1."price" <= ? -- 1.5',
    postgres: 't1."price" <= $2::numeric -- 1.5',
  },
  {
    it: 'a boolean',
    query: 'filters[featured]=true',
    sqlite: 't1."featured" = ? -- 1',
    postgres: 't1."featured" = $2::boolean -- true',
  },
  {
    it: 'a date',
    query: 'filters[day]=2024-02-29',
    sqlite: 't1."day" = ? -- "2024-02-29"',
    postgres: 't1."day" = $2::date -- "2024-02-29"',
  },
  {
    it: 'a time',
    query: 'filters[opens]=09:30:00',
    sqlite: 't1."opens" = ? -- "09:30:00.000"',
    postgres: 't1."opens" = $2::time -- "09:30:00.000"',
  },
  {
    it: 'an instant',
    query: 'filters[startsAt][$gt]=2024-01-01T00:00:00Z',
    sqlite: 't1."starts_at" > ? -- 1704067200000',
    postgres: `t1."starts_at" > (timestamp 'epoch' + $2::float8 * interval '1 millisecond') -- 1704067200000`,
  },
  {
    it: 'the text of JSON',
    query: 'filters[extra][$contains]=a',
    sqlite: '(stop(t1."extra") AND instr(t1."extra", ?) > 0) -- "a"',
    postgres: `strpos((CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, $2::text) > 0 -- "a"`,
  },
  {
    it: 'a row id',
    query: 'filters[id]=7',
    sqlite: 't1."id" = ? -- 7',
    postgres: 't1."id" = $2::bigint -- 7',
  },
  {
    it: 'a row id that cannot exist',
    query: 'filters[id]=abc',
    sqlite: '1 = 0',
    postgres: '1 = 0',
  },
  {
    it: '$in',
    query: 'filters[rating][$in][0]=1&filters[rating][$in][1]=2',
    sqlite: 't1."rating" IN (?, ?) -- 1, 2',
    postgres: 't1."rating" IN ($2::bigint, $3::bigint) -- 1, 2',
  },
  {
    it: '$in with one value',
    query: 'filters[rating][$in]=1',
    sqlite: 't1."rating" = ? -- 1',
    postgres: 't1."rating" = $2::bigint -- 1',
  },
  {
    it: '$notIn',
    query: 'filters[rating][$notIn][0]=1&filters[rating][$notIn][1]=2',
    sqlite: 't1."rating" NOT IN (?, ?) -- 1, 2',
    postgres: 't1."rating" NOT IN ($2::bigint, $3::bigint) -- 1, 2',
  },
  {
    it: '$between',
    query: 'filters[title][$between][0]=a&filters[title][$between][1]=m',
    sqlite: 't1."title" BETWEEN ? AND ? -- "a", "m"',
    postgres: 't1."title" COLLATE "C" BETWEEN $2::text AND $3::text -- "a", "m"',
  },
  {
    it: '$null',
    query: 'filters[title][$null]=true',
    sqlite: 't1."title" IS NULL',
    postgres: 't1."title" IS NULL',
  },
  {
    it: '$notNull',
    query: 'filters[title][$notNull]=true',
    sqlite: 't1."title" IS NOT NULL',
    postgres: 't1."title" IS NOT NULL',
  },
  {
    it: '$eqi',
    query: 'filters[title][$eqi]=Bread',
    sqlite: '(stop(t1."title") AND lectern_fold(t1."title") GLOB ?) -- "bread"',
    postgres: 'lower(t1."title") = lower($2::text) -- "Bread"',
  },
  {
    it: '$contains',
    query: 'filters[title][$contains]=Bread',
    sqlite: '(stop(t1."title") AND instr(t1."title", ?) > 0) -- "Bread"',
    postgres: '(t1."title" LIKE $2::text AND strpos(t1."title", $3::text) > 0) -- "%Bread%", "Bread"',
  },
  {
    it: '$containsi with too few letters for an index',
    query: 'filters[title][$containsi]=a-b_',
    sqlite: '(stop(t1."title") AND instr(lectern_fold(t1."title"), ?) > 0) -- "a-b_"',
    postgres: 'strpos(lower(t1."title"), lower($2::text)) > 0 -- "a-b_"',
  },
  {
    it: '$containsi of a long text, of whose beginning the index is asked, without the end of a word',
    query: `filters[title][$containsi]=${encodeURIComponent('100% a_b cd ΟΔΟΣΕ')}`,
    sqlite: '(stop(t1."title") AND instr(lectern_fold(t1."title"), ?) > 0) -- "100% a_b cd οδοσε"',
    postgres:
      '(t1."title" ILIKE $2::text AND strpos(lower(t1."title"), lower($3::text)) > 0) -- "%100\\\\% a\\\\_b cd ΟΔΟ%", "100% a_b cd ΟΔΟΣΕ"',
  },
  {
    it: '$notContainsi',
    query: 'filters[title][$notContainsi]=Bread',
    sqlite: 'NOT ((stop(t1."title") AND instr(lectern_fold(t1."title"), ?) > 0)) -- "bread"',
    postgres: 'NOT ((t1."title" ILIKE $2::text AND strpos(lower(t1."title"), lower($3::text)) > 0)) -- "%Bread%", "Bread"',
  },
  {
    it: '$startsWith with the characters of a pattern',
    query: 'filters[title][$startsWith]=a*b[c',
    sqlite: 't1."title" GLOB ? -- "a[*]b[[]c*"',
    postgres: 'starts_with(t1."title", $2::text) -- "a*b[c"',
  },
  {
    it: '$endsWithi',
    query: 'filters[title][$endsWithi]=D',
    sqlite: '(stop(t1."title") AND substr(lectern_fold(t1."title"), -length(?)) = ?) -- "d", "d"',
    postgres: 'right(lower(t1."title"), length(lower($2::text))) = lower($3::text) -- "D", "D"',
  },
  {
    it: '$not',
    query: 'filters[$not][title]=a',
    sqlite: 'NOT (t1."title" = ?) -- "a"',
    postgres: 'NOT (t1."title" = $2::text) -- "a"',
  },
  {
    it: '$or',
    query: 'filters[$or][0][title]=a&filters[$or][1][rating]=1',
    sqlite: '(t1."title" = ? OR t1."rating" = ?) -- "a", 1',
    postgres: '(t1."title" = $2::text OR t1."rating" = $3::bigint) -- "a", 1',
  },
  {
    it: 'a relation with a link table',
    query: 'filters[section][name]=a',
    sqlite: `
      t1."id" IN (
        SELECT t2."article_id"
        FROM "sections" t3
        CROSS JOIN "articles_section_lnk" t2 ON t2."section_id" = t3."id"
        WHERE stop(t3) AND stop(t2) AND t3."name" = ?
      )
      -- "a"
    `,
    postgres: `
      t1."id" IN (
        SELECT t2."article_id"
        FROM "sections" t3
        JOIN "articles_section_lnk" t2 ON t2."section_id" = t3."id"
        WHERE t3."name" = $2::text
      )
      -- "a"
    `,
  },
  {
    it: 'a relation without a related row',
    query: 'filters[section][id][$null]=true',
    sqlite: `
      (t1."id" IN (
        SELECT t2."article_id"
        FROM "sections" t3
        CROSS JOIN "articles_section_lnk" t2 ON t2."section_id" = t3."id"
        WHERE stop(t3) AND stop(t2) AND t3."id" IS NULL
      ) OR NOT EXISTS (
        SELECT 1
        FROM "articles_section_lnk" t4
        WHERE t4."article_id" = t1."id"
      ))
    `,
    postgres: `
      (t1."id" IN (
        SELECT t2."article_id"
        FROM "sections" t3
        JOIN "articles_section_lnk" t2 ON t2."section_id" = t3."id"
        WHERE t3."id" IS NULL
      ) OR NOT EXISTS (
        SELECT 1
        FROM "articles_section_lnk" t4
        WHERE t4."article_id" = t1."id"
      ))
    `,
  },
  {
    it: 'media',
    query: 'filters[cover][name]=a.png',
    sqlite: `
      t1."id" IN (
        SELECT t2."related_id"
        FROM "files" t3
        CROSS JOIN "files_related_mph" t2 ON t2."file_id" = t3."id"
        WHERE stop(t3) AND stop(t2) AND +t2."related_type" = ? AND +t2."field" = ? AND t3."name" = ?
      )
      -- "api::article.article", "cover", "a.png"
    `,
    postgres: `
      t1."id" IN (
        SELECT t2."related_id"
        FROM "files" t3
        JOIN "files_related_mph" t2 ON t2."file_id" = t3."id"
        WHERE t2."related_type" = $2::text AND t2."field" = $3::text AND t3."name" = $4::text
      )
      -- "api::article.article", "cover", "a.png"
    `,
  },
  {
    it: 'a component',
    query: 'filters[seo][description]=a',
    sqlite: `
      t1."id" IN (
        SELECT t2."entity_id"
        FROM "articles_cmps" t2
        WHERE stop(t2) AND +t2."field" = ? AND +t2."component_type" = ? AND t2."cmp_id" IN (
          SELECT t3."id"
          FROM "components_part_seos" t3
          WHERE stop(t3) AND t3."description" = ?
        )
      )
      -- "seo", "part.seo", "a"
    `,
    postgres: `
      t1."id" IN (
        SELECT t2."entity_id"
        FROM "articles_cmps" t2
        WHERE t2."field" = $2::text AND t2."component_type" = $3::text AND t2."cmp_id" IN (
          SELECT t3."id"
          FROM "components_part_seos" t3
          WHERE t3."description" = $4::text
        )
      )
      -- "seo", "part.seo", "a"
    `,
  },
  {
    it: 'rows that point back by id and type',
    query: 'filters[comments][text]=a',
    sqlite: `
      t1."id" IN (
        SELECT t3."target_id"
        FROM "comments" t3
        WHERE stop(t3) AND t3."target_type" = ? AND t3."text" = ?
      )
      -- "api::article.article", "a"
    `,
    postgres: `
      t1."id" IN (
        SELECT t3."target_id"
        FROM "comments" t3
        WHERE t3."target_type" = $2::text AND t3."text" = $3::text
      )
      -- "api::article.article", "a"
    `,
  },
];

const stages = new ReadStages();

/** The condition, cut out of a statement that is checked besides. */
function conditionIn({ text, parameters, tables }: Statement, dialect: Dialect): Statement {
  const end = parameters.length;
  const values = [dialect.comparand(dialect.placeholder(1), 'string', 'en'), dialect.placeholder(end - 1), dialect.placeholder(end)];
  const stop = dialect.stopPoint === undefined ? '' : `${dialect.stopPoint('t1."id"')} AND `;
  const before = `SELECT t1."id", t1."document_id", t1."title" FROM "articles" t1 WHERE ${stop}(t1."locale" IN (${values[0]}) AND t1."published_at" IS NOT NULL AND `;
  const after = `) ORDER BY t1."id" ASC LIMIT ${values[1]}${values[1] === '?' ? ' + 0' : ''} OFFSET ${values[2]}`;
  const condition = text.slice(before.length, -after.length);
  expect(text).toBe(before + condition + after);
  return { text: condition, parameters: parameters.slice(1, -2), tables };
}

testDialects(cases, (query, dialect) => {
  // In a single statement for all paths, each condition stands twice.
  const { statements } = stages.compile({ query: `articles?fields=title&${query}` }, { ...dialect, singleStatementReads: undefined });
  if (statements.kind !== 'separate') throw new Error('the statements are not separate');
  return printStatement(conditionIn(statements.rows, dialect));
});
