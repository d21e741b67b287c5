import { describe, expect, it } from 'vitest';
import { printPopulated } from '../../../test/support/stages/print-sql.ts';
import { ReadStages, unindented } from '../../../test/support/stages/read-stages.ts';
import { postgres } from '../../dialects/postgres.ts';
import { sqlite } from '../../dialects/sqlite.ts';

/** The statements of the populated attributes. `:ids` are the row ids of their parents. */
interface Case {
  readonly it: string;
  readonly query: string;
  readonly sqlite: string;
  readonly postgres: string;
}

const cases: readonly Case[] = [
  {
    it: 'a relation by a link table',
    query: 'tags/doc1?populate[articles][fields]=title',
    sqlite: `
      articles:
        SELECT t5.parent, t6."id", t6."document_id", t6."title"
        FROM (
          SELECT t2.value AS parent, t4."id" AS id
          FROM json_each(?) AS t2
          CROSS JOIN "articles_tags_lnk" t3 ON t3."tag_id" = t2.value
          CROSS JOIN "articles" t4 ON t4."id" = t3."article_id"
          WHERE t4."published_at" IS NOT NULL
          ORDER BY t3."article_ord", t3."id"
          LIMIT 100001
        ) t5
        CROSS JOIN "articles" t6 ON t6."id" = t5.id
        -- :ids
    `,
    postgres: `
      articles:
        SELECT t2.value, t4."id", t4."document_id", t4."title"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "articles_tags_lnk" t3 ON t3."tag_id" = t2.value
        JOIN "articles" t4 ON t4."id" = t3."article_id"
        WHERE t4."published_at" IS NOT NULL
        ORDER BY t3."article_ord", t3."id"
        LIMIT 100001
        -- :ids
    `,
  },
  {
    it: 'a relation with a filter and a sort',
    query: 'sections/doc1?populate[articles][fields]=title&populate[articles][filters][rating]=5&populate[articles][sort]=title',
    sqlite: `
      articles:
        SELECT t5.parent, t6."id", t6."document_id", t6."title"
        FROM (
          SELECT t2.value AS parent, t4."id" AS id
          FROM json_each(?) AS t2
          CROSS JOIN "articles_section_lnk" t3 ON t3."section_id" = t2.value
          CROSS JOIN "articles" t4 ON t4."id" = t3."article_id"
          WHERE (t4."published_at" IS NOT NULL AND t4."rating" = ?)
          ORDER BY t4."title" ASC, t3."article_ord", t3."id"
          LIMIT 100001
        ) t5
        CROSS JOIN "articles" t6 ON t6."id" = t5.id
        -- :ids, 5
    `,
    postgres: `
      articles:
        SELECT t2.value, t4."id", t4."document_id", t4."title"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "articles_section_lnk" t3 ON t3."section_id" = t2.value
        JOIN "articles" t4 ON t4."id" = t3."article_id"
        WHERE (t4."published_at" IS NOT NULL AND t4."rating" = $2::bigint)
        ORDER BY t4."title" COLLATE "C" ASC NULLS FIRST, t3."article_ord", t3."id"
        LIMIT 100001
        -- :ids, 5
    `,
  },
  {
    it: 'a number of related rows',
    query: 'tags/doc1?populate[articles][count]=true',
    sqlite: `
      articles:
        SELECT t2.value, count(*)
        FROM json_each(?) AS t2
        CROSS JOIN "articles_tags_lnk" t3 ON t3."tag_id" = t2.value
        CROSS JOIN "articles" t4 ON t4."id" = t3."article_id"
        WHERE t4."published_at" IS NOT NULL
        GROUP BY t2.value
        -- :ids
    `,
    postgres: `
      articles:
        SELECT t2.value, count(*)
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "articles_tags_lnk" t3 ON t3."tag_id" = t2.value
        JOIN "articles" t4 ON t4."id" = t3."article_id"
        WHERE t4."published_at" IS NOT NULL
        GROUP BY t2.value
        -- :ids
    `,
  },
  {
    it: 'media, in the order of their positions',
    query: 'articles/doc1?populate[cover][fields]=url',
    sqlite: `
      cover:
        SELECT t5.parent, t6."id", t6."document_id", t6."url"
        FROM (
          SELECT t2.value AS parent, t4."id" AS id
          FROM json_each(?) AS t2
          CROSS JOIN "files_related_mph" t3 ON t3."related_id" = t2.value
          CROSS JOIN "files" t4 ON t4."id" = t3."file_id"
          WHERE +t3."related_type" = ? AND +t3."field" = ?
          ORDER BY t3."order", t3."id"
          LIMIT 100001
        ) t5
        CROSS JOIN "files" t6 ON t6."id" = t5.id
        -- :ids, "api::article.article", "cover"
    `,
    postgres: `
      cover:
        SELECT t2.value, t4."id", t4."document_id", t4."url"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "files_related_mph" t3 ON t3."related_id" = t2.value
        JOIN "files" t4 ON t4."id" = t3."file_id"
        WHERE t3."related_type" = $2::text AND t3."field" = $3::text
        ORDER BY t3."order", t3."id"
        LIMIT 100001
        -- :ids, "api::article.article", "cover"
    `,
  },
  {
    it: 'a component, and a relation below it',
    query: 'articles/doc1?populate[links][populate][to][fields]=slug',
    sqlite: `
      links:
        SELECT t5.parent, t6."id", t6."label"
        FROM (
          SELECT t2.value AS parent, t4."id" AS id
          FROM json_each(?) AS t2
          CROSS JOIN "articles_cmps" t3 ON t3."entity_id" = t2.value
          CROSS JOIN "components_part_links" t4 ON t4."id" = t3."cmp_id"
          WHERE +t3."field" = ? AND +t3."component_type" = ?
          ORDER BY t3."order", t3."id"
          LIMIT 100001
        ) t5
        CROSS JOIN "components_part_links" t6 ON t6."id" = t5.id
        -- :ids, "links", "part.link"
      links.to:
        SELECT t10.parent, t11."id", t11."document_id", t11."slug"
        FROM (
          SELECT t7.value AS parent, t9."id" AS id
          FROM json_each(?) AS t7
          CROSS JOIN "components_part_links_to_lnk" t8 ON t8."link_id" = t7.value
          CROSS JOIN "articles" t9 ON t9."id" = t8."article_id"
          WHERE t9."published_at" IS NOT NULL
          ORDER BY t8."id"
          LIMIT 100001
        ) t10
        CROSS JOIN "articles" t11 ON t11."id" = t10.id
        -- :ids
    `,
    postgres: `
      links:
        SELECT t2.value, t4."id", t4."label"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "articles_cmps" t3 ON t3."entity_id" = t2.value
        JOIN "components_part_links" t4 ON t4."id" = t3."cmp_id"
        WHERE t3."field" = $2::text AND t3."component_type" = $3::text
        ORDER BY t3."order", t3."id"
        LIMIT 100001
        -- :ids, "links", "part.link"
      links.to:
        SELECT t5.value, t7."id", t7."document_id", t7."slug"
        FROM unnest($1::bigint[]) AS t5(value)
        JOIN "components_part_links_to_lnk" t6 ON t6."link_id" = t5.value
        JOIN "articles" t7 ON t7."id" = t6."article_id"
        WHERE t7."published_at" IS NOT NULL
        ORDER BY t6."id"
        LIMIT 100001
        -- :ids
    `,
  },
  {
    it: 'a dynamic zone: references, then the rows of each type',
    query: 'articles/doc1?populate[blocks][on][part.hero][fields]=heading&populate[blocks][on][part.quote][fields]=text',
    sqlite: `
      blocks:
        SELECT t2.value, t3."cmp_id", t3."component_type"
        FROM json_each(?) AS t2
        CROSS JOIN "articles_cmps" t3 ON t3."entity_id" = t2.value
        WHERE +t3."field" = ?
        ORDER BY t3."order", t3."id"
        LIMIT 100001
        -- :ids, "blocks"
      blocks[part.hero]:
        SELECT t5."id", t5."heading"
        FROM json_each(?) AS t4
        CROSS JOIN "components_part_heros" t5 ON t5."id" = t4.value
        -- :ids
      blocks[part.quote]:
        SELECT t7."id", t7."text"
        FROM json_each(?) AS t6
        CROSS JOIN "components_part_quotes" t7 ON t7."id" = t6.value
        -- :ids
    `,
    postgres: `
      blocks:
        SELECT t2.value, t3."cmp_id", t3."component_type"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "articles_cmps" t3 ON t3."entity_id" = t2.value
        WHERE t3."field" = $2::text
        ORDER BY t3."order", t3."id"
        LIMIT 100001
        -- :ids, "blocks"
      blocks[part.hero]:
        SELECT t5."id", t5."heading"
        FROM unnest($1::bigint[]) AS t4(value)
        JOIN "components_part_heros" t5 ON t5."id" = t4.value
        -- :ids
      blocks[part.quote]:
        SELECT t7."id", t7."text"
        FROM unnest($1::bigint[]) AS t6(value)
        JOIN "components_part_quotes" t7 ON t7."id" = t6.value
        -- :ids
    `,
  },
  {
    it: 'a relation of any type: references, then the rows of each type',
    query: 'comments/doc1?populate[about][on][api::section.section][fields]=name',
    sqlite: `
      about:
        SELECT t2.value, t3."target_id", t3."target_type"
        FROM json_each(?) AS t2
        CROSS JOIN "comments" t3 ON t3."id" = t2.value
        WHERE t3."target_id" IS NOT NULL
        LIMIT 100001
        -- :ids
      about[api::section.section]:
        SELECT t5."id", t5."document_id", t5."name"
        FROM json_each(?) AS t4
        CROSS JOIN "sections" t5 ON t5."id" = t4.value
        -- :ids
    `,
    postgres: `
      about:
        SELECT t2.value, t3."target_id", t3."target_type"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "comments" t3 ON t3."id" = t2.value
        WHERE t3."target_id" IS NOT NULL
        LIMIT 100001
        -- :ids
      about[api::section.section]:
        SELECT t5."id", t5."document_id", t5."name"
        FROM unnest($1::bigint[]) AS t4(value)
        JOIN "sections" t5 ON t5."id" = t4.value
        -- :ids
    `,
  },
  {
    it: 'rows that point back by id and type',
    query: 'articles/doc1?populate[comments][fields]=text',
    sqlite: `
      comments:
        SELECT t5.parent, t6."id", t6."document_id", t6."text"
        FROM (
          SELECT t4."target_id" AS parent, t4."id" AS id
          FROM "comments" t4
          WHERE t4."target_type" = ? AND t4."target_id" IN (
            SELECT t2.value
            FROM json_each(?) AS t2
          )
          ORDER BY t4."id"
          LIMIT 100001
        ) t5
        CROSS JOIN "comments" t6 ON t6."id" = t5.id
        -- "api::article.article", :ids
    `,
    postgres: `
      comments:
        SELECT t4."target_id", t4."id", t4."document_id", t4."text"
        FROM "comments" t4
        WHERE t4."target_type" = $1::text AND t4."target_id" IN (
          SELECT t2.value
          FROM unnest($2::bigint[]) AS t2(value)
        )
        ORDER BY t4."id"
        LIMIT 100001
        -- "api::article.article", :ids
    `,
  },
  {
    it: 'the other locales of a document',
    query: 'articles/doc1?populate[localizations][fields]=locale',
    sqlite: `
      localizations:
        SELECT t5.parent, t6."id", t6."document_id", t6."locale"
        FROM (
          SELECT t2.value AS parent, t4."id" AS id
          FROM json_each(?) AS t2
          CROSS JOIN "articles" t3 ON t3."id" = t2.value
          CROSS JOIN "articles" t4 ON t4."document_id" = t3."document_id"
          WHERE t4."locale" <> t3."locale" AND t4."published_at" IS NOT NULL AND t4."published_at" IS NOT NULL
          ORDER BY t4."locale", t4."id"
          LIMIT 100001
        ) t5
        CROSS JOIN "articles" t6 ON t6."id" = t5.id
        -- :ids
    `,
    postgres: `
      localizations:
        SELECT t2.value, t4."id", t4."document_id", t4."locale"
        FROM unnest($1::bigint[]) AS t2(value)
        JOIN "articles" t3 ON t3."id" = t2.value
        JOIN "articles" t4 ON t4."document_id" = t3."document_id"
        WHERE t4."locale" <> t3."locale" AND t4."published_at" IS NOT NULL AND t4."published_at" IS NOT NULL
        ORDER BY t4."locale", t4."id"
        LIMIT 100001
        -- :ids
    `,
  },
];

const stages = new ReadStages();

describe.each([sqlite, postgres])('$name', (dialect) => {
  it.each(cases)('$it', ({ query, ...expected }) => {
    expect(printPopulated(stages.compile({ query }, dialect))).toBe(unindented(expected[dialect.name]));
  });
});
