import { describe, expect, it } from 'vitest';
import { printRoot } from '../../../test/support/stages/print-sql.ts';
import { ReadStages, unindented } from '../../../test/support/stages/read-stages.ts';
import { postgres } from '../../dialects/postgres.ts';
import { sqlite } from '../../dialects/sqlite.ts';

/** The statements of the rows that a request asks for. `:key` is the key in the path, `:ids` the row ids. */
interface Case {
  readonly it: string;
  readonly query: string;
  readonly sqlite: string;
  readonly postgres: string;
}

const cases: readonly Case[] = [
  {
    it: 'a page, its total, and another way to the same page',
    query: 'tags?fields=name&pagination[page]=3',
    sqlite: `
      rows:
        SELECT t1."id", t1."document_id", t1."name"
        FROM "tags" t1
        WHERE t1."published_at" IS NOT NULL
        ORDER BY t1."id" ASC
        LIMIT ? OFFSET ?
        -- 25, 50
      count:
        SELECT count(*)
        FROM "tags" t2
        WHERE t2."published_at" IS NOT NULL
      ids:
        SELECT t3."id"
        FROM "tags" t3
        WHERE t3."published_at" IS NOT NULL
        ORDER BY +t3."id" ASC
      rows of ids:
        SELECT t5."id", t5."document_id", t5."name"
        FROM json_each(?) AS t4
        CROSS JOIN "tags" t5 ON t5."id" = t4.value
        -- :ids
    `,
    postgres: `
      rows:
        SELECT t1."id", t1."document_id", t1."name"
        FROM "tags" t1
        WHERE t1."published_at" IS NOT NULL
        ORDER BY t1."id" ASC
        LIMIT $1 OFFSET $2
        -- 25, 50
      count:
        SELECT count(*)
        FROM "tags" t2
        WHERE t2."published_at" IS NOT NULL
      ids:
        SELECT t3."id"
        FROM "tags" t3
        WHERE t3."published_at" IS NOT NULL
        ORDER BY t3."id" ASC
      rows of ids:
        SELECT t5."id", t5."document_id", t5."name"
        FROM unnest($1::bigint[]) AS t4(value)
        JOIN "tags" t5 ON t5."id" = t4.value
        -- :ids
    `,
  },
  {
    it: 'a list without pagination, and one row more than may be read',
    query: 'users?fields=username',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."username"
      FROM "up_users" t1
      ORDER BY t1."id" ASC
      LIMIT 100001
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."username"
      FROM "up_users" t1
      ORDER BY t1."id" ASC
      LIMIT 100001
    `,
  },
  {
    it: 'one document, with the instant that its entity tag is made of',
    query: 'tags/doc1?fields=name',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."name", t1."updated_at"
      FROM "tags" t1
      WHERE t1."document_id" = ? AND t1."published_at" IS NOT NULL
      ORDER BY +t1."id" ASC
      LIMIT 1
      -- :key
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."name", floor(extract(epoch from t1."updated_at") * 1000)::bigint
      FROM "tags" t1
      WHERE t1."document_id" = $1::text AND t1."published_at" IS NOT NULL
      ORDER BY t1."id" ASC
      LIMIT 1
      -- :key
    `,
  },
  {
    it: 'a user by the row id',
    query: 'users/7?fields=username',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."username"
      FROM "up_users" t1
      WHERE t1."id" = ?
      ORDER BY +t1."id" ASC
      LIMIT 1
      -- :key
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."username"
      FROM "up_users" t1
      WHERE t1."id" = $1::bigint
      ORDER BY t1."id" ASC
      LIMIT 1
      -- :key
    `,
  },
  {
    it: 'the only document of a single type',
    query: 'homepage?fields=headline',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."headline", t1."updated_at"
      FROM "homepages" t1
      ORDER BY t1."id" ASC
      LIMIT 1
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."headline", floor(extract(epoch from t1."updated_at") * 1000)::bigint
      FROM "homepages" t1
      ORDER BY t1."id" ASC
      LIMIT 1
    `,
  },
  {
    it: 'columns in the form that render expects',
    query: 'articles/doc1?fields=views,extra,startsAt,day,opens,featured',
    sqlite: `
      SELECT t1."id", t1."document_id", CAST(t1."views" AS TEXT), t1."extra", t1."starts_at", t1."day", t1."opens", t1."featured", t1."updated_at"
      FROM "articles" t1
      WHERE t1."document_id" = ? AND (t1."locale" IN (?) AND t1."published_at" IS NOT NULL)
      ORDER BY +t1."id" ASC
      LIMIT 1
      -- :key, "en"
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."views"::text, CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END, floor(extract(epoch from t1."starts_at") * 1000)::bigint, to_char(t1."day", 'YYYY-MM-DD'), to_char(t1."opens", 'HH24:MI:SS.MS'), t1."featured", floor(extract(epoch from t1."updated_at") * 1000)::bigint
      FROM "articles" t1
      WHERE t1."document_id" = $1::text AND (t1."locale" IN ($2::text) AND t1."published_at" IS NOT NULL)
      ORDER BY t1."id" ASC
      LIMIT 1
      -- :key, "en"
    `,
  },
  {
    it: 'a sorted page: ids and sort values first, then the rows of that page',
    query: 'sections?fields=name&sort=name:desc&pagination[withCount]=false',
    sqlite: `
      SELECT t5."id", t5."document_id", t5."name"
      FROM (
        SELECT *
        FROM (
          SELECT t2."id" AS id, t2."name" AS k0
          FROM "sections" t2
        ) t3
        ORDER BY t3.k0 DESC, t3.id
        LIMIT ? OFFSET ?
      ) t4
      CROSS JOIN "sections" t5 ON t5."id" = t4.id
      -- 25, 0
    `,
    postgres: `
      SELECT t5."id", t5."document_id", t5."name"
      FROM (
        SELECT *
        FROM (
          SELECT t2."id" AS id, t2."name" AS k0
          FROM "sections" t2
        ) t3
        ORDER BY t3.k0 COLLATE "C" DESC NULLS LAST, t3.id
        LIMIT $1 OFFSET $2
      ) t4
      JOIN "sections" t5 ON t5."id" = t4.id
      ORDER BY t4.k0 COLLATE "C" DESC NULLS LAST, t4.id
      -- 25, 0
    `,
  },
  {
    it: 'a page sorted by the related row that comes first',
    query: 'sections?fields=name&sort=editor.username&pagination[withCount]=false',
    sqlite: `
      SELECT t7."id", t7."document_id", t7."name"
      FROM (
        SELECT *
        FROM (
          SELECT t4."id" AS id, (
            SELECT t9."username"
            FROM ("sections_editor_lnk" t8 JOIN "up_users" t9 ON t9."id" = t8."user_id")
            WHERE t8."section_id" = t4."id"
            ORDER BY t9."username" ASC
            LIMIT 1
          ) AS k0
          FROM "sections" t4
        ) t5
        ORDER BY t5.k0 ASC, t5.id
        LIMIT ? OFFSET ?
      ) t6
      CROSS JOIN "sections" t7 ON t7."id" = t6.id
      -- 25, 0
    `,
    postgres: `
      SELECT t7."id", t7."document_id", t7."name"
      FROM (
        SELECT *
        FROM (
          SELECT t4."id" AS id, (
            SELECT t9."username"
            FROM ("sections_editor_lnk" t8 JOIN "up_users" t9 ON t9."id" = t8."user_id")
            WHERE t8."section_id" = t4."id"
            ORDER BY t9."username" COLLATE "C" ASC NULLS FIRST
            LIMIT 1
          ) AS k0
          FROM "sections" t4
        ) t5
        ORDER BY t5.k0 COLLATE "C" ASC NULLS FIRST, t5.id
        LIMIT $1 OFFSET $2
      ) t6
      JOIN "sections" t7 ON t7."id" = t6.id
      ORDER BY t6.k0 COLLATE "C" ASC NULLS FIRST, t6.id
      -- 25, 0
    `,
  },
  {
    it: 'a page sorted through two relations to many',
    query: 'sections?fields=name&sort=articles.tags.name:desc&pagination[withCount]=false',
    sqlite: `
      SELECT t14."id", t14."document_id", t14."name"
      FROM (
        SELECT *
        FROM (
          SELECT t11."id" AS id, t15.v AS k0
          FROM "sections" t11
          LEFT JOIN (
            SELECT t16."id" AS id, max(t19.v) AS v
            FROM "sections" t16
            JOIN ("articles_section_lnk" t17 JOIN "articles" t18 ON t18."id" = t17."article_id") ON t17."section_id" = t16."id" AND t18."published_at" IS NOT NULL
            LEFT JOIN (
              SELECT t20."id" AS id, max(t22."name") AS v
              FROM "articles" t20
              JOIN ("articles_tags_lnk" t21 JOIN "tags" t22 ON t22."id" = t21."tag_id") ON t21."article_id" = t20."id" AND t22."published_at" IS NOT NULL
              GROUP BY t20."id"
            ) t19 ON t19.id = t18."id"
            GROUP BY t16."id"
          ) t15 ON t15.id = t11."id"
        ) t12
        ORDER BY t12.k0 DESC, t12.id
        LIMIT ? OFFSET ?
      ) t13
      CROSS JOIN "sections" t14 ON t14."id" = t13.id
      -- 25, 0
    `,
    postgres: `
      SELECT t14."id", t14."document_id", t14."name"
      FROM (
        SELECT *
        FROM (
          SELECT t11."id" AS id, t15.v AS k0
          FROM "sections" t11
          LEFT JOIN (
            SELECT t16."id" AS id, max(t19.v) AS v
            FROM "sections" t16
            JOIN ("articles_section_lnk" t17 JOIN "articles" t18 ON t18."id" = t17."article_id") ON t17."section_id" = t16."id" AND t18."published_at" IS NOT NULL
            LEFT JOIN (
              SELECT t20."id" AS id, max(t22."name" COLLATE "C") AS v
              FROM "articles" t20
              JOIN ("articles_tags_lnk" t21 JOIN "tags" t22 ON t22."id" = t21."tag_id") ON t21."article_id" = t20."id" AND t22."published_at" IS NOT NULL
              GROUP BY t20."id"
            ) t19 ON t19.id = t18."id"
            GROUP BY t16."id"
          ) t15 ON t15.id = t11."id"
        ) t12
        ORDER BY t12.k0 COLLATE "C" DESC NULLS LAST, t12.id
        LIMIT $1 OFFSET $2
      ) t13
      JOIN "sections" t14 ON t14."id" = t13.id
      ORDER BY t13.k0 COLLATE "C" DESC NULLS LAST, t13.id
      -- 25, 0
    `,
  },
  {
    it: 'a search, in numbers as well where the text is a number',
    query: 'tags?fields=name&_q=7&pagination[withCount]=false',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."name"
      FROM "tags" t1
      WHERE ((instr(lectern_fold(t1."id"), ?) > 0 OR instr(lectern_fold(t1."document_id"), ?) > 0 OR instr(lectern_fold(t1."name"), ?) > 0) AND t1."published_at" IS NOT NULL)
      ORDER BY t1."id" ASC
      LIMIT ? OFFSET ?
      -- "7", "7", "7", 25, 0
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."name"
      FROM "tags" t1
      WHERE ((strpos(lower((t1."id")::text), lower($1::text)) > 0 OR strpos(lower(t1."document_id"), lower($2::text)) > 0 OR strpos(lower(t1."name"), lower($3::text)) > 0) AND t1."published_at" IS NOT NULL)
      ORDER BY t1."id" ASC
      LIMIT $4 OFFSET $5
      -- "7", "7", "7", 25, 0
    `,
  },
  {
    it: 'documents whose draft is newer than what is published',
    query: 'tags?fields=name&publicationFilter=modified&pagination[withCount]=false',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."name"
      FROM "tags" t1
      WHERE (t1."published_at" IS NOT NULL AND EXISTS (
        SELECT 1
        FROM "tags" t2
        WHERE t2."document_id" = t1."document_id" AND t2."published_at" IS NULL AND t2."updated_at" > t1."updated_at"
      ))
      ORDER BY t1."id" ASC
      LIMIT ? OFFSET ?
      -- 25, 0
    `,
    postgres: `
      SELECT t1."id", t1."document_id", t1."name"
      FROM "tags" t1
      WHERE (t1."published_at" IS NOT NULL AND EXISTS (
        SELECT 1
        FROM "tags" t2
        WHERE t2."document_id" = t1."document_id" AND t2."published_at" IS NULL AND t2."updated_at" > t1."updated_at"
      ))
      ORDER BY t1."id" ASC
      LIMIT $1 OFFSET $2
      -- 25, 0
    `,
  },
];

const stages = new ReadStages();

describe.each([sqlite, postgres])('$name', (dialect) => {
  it.each(cases)('$it', ({ query, ...expected }) => {
    expect(printRoot(stages.compile({ query }, dialect))).toBe(unindented(expected[dialect.name]));
  });
});
