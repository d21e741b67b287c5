import { printPopulated } from '../../../test/support/stages/print-sql.ts';
import { ReadStages } from '../../../test/support/stages/read-stages.ts';
import { type DialectCase, testDialects } from '../../../test/support/stages/test-dialects.ts';

/** The statements of the populated attributes. `:ids` are the row ids of their parents. */
const cases: readonly DialectCase[] = [
  {
    it: 'a relation by a link table',
    query: 'tags/doc1?populate[articles][fields]=title',
    sqlite: `
      articles:
        SELECT t6.parent, t7."id", t7."document_id", t7."title"
        FROM (
          SELECT t3.value AS parent, t5."id" AS id
          FROM json_each(?) AS t3
          CROSS JOIN "articles_tags_lnk" t4 ON t4."tag_id" = t3.value
          CROSS JOIN "articles" t5 ON t5."id" = t4."article_id"
          WHERE stop(t4) AND t5."published_at" IS NOT NULL
          ORDER BY t4."article_ord", t4."id"
          LIMIT 100001
        ) t6
        CROSS JOIN "articles" t7 ON t7."id" = t6.id
        -- :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "tags" t2
            WHERE t2."document_id" = $1::text AND t2."published_at" IS NOT NULL
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t6.value)::text, (t8."id")::text, (t8."document_id")::text, (t8."title")::text, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "articles_tags_lnk" t7 ON t7."tag_id" = t6.value
        JOIN "articles" t8 ON t8."id" = t7."article_id"
        WHERE t8."published_at" IS NOT NULL
        ORDER BY t7."article_ord", t7."id"
        LIMIT 100001
      )
      -- :key
    `,
  },
  {
    it: 'a relation with a filter and a sort',
    query: 'sections/doc1?populate[articles][fields]=title&populate[articles][filters][rating]=5&populate[articles][sort]=title',
    sqlite: `
      articles:
        SELECT t6.parent, t7."id", t7."document_id", t7."title"
        FROM (
          SELECT t3.value AS parent, t5."id" AS id
          FROM json_each(?) AS t3
          CROSS JOIN "articles_section_lnk" t4 ON t4."section_id" = t3.value
          CROSS JOIN "articles" t5 ON t5."id" = t4."article_id"
          WHERE stop(t4) AND (t5."published_at" IS NOT NULL AND t5."rating" = ?)
          ORDER BY t5."title" ASC, t4."article_ord", t4."id"
          LIMIT 100001
        ) t6
        CROSS JOIN "articles" t7 ON t7."id" = t6.id
        -- :ids, 5
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "sections" t2
            WHERE t2."document_id" = $1::text
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "sections" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t6.value)::text, (t8."id")::text, (t8."document_id")::text, (t8."title")::text, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "articles_section_lnk" t7 ON t7."section_id" = t6.value
        JOIN "articles" t8 ON t8."id" = t7."article_id"
        WHERE (t8."published_at" IS NOT NULL AND t8."rating" = $2::bigint)
        ORDER BY t8."title" COLLATE "C" ASC NULLS FIRST, t7."article_ord", t7."id"
        LIMIT 100001
      )
      -- :key, 5
    `,
  },
  {
    it: 'a number of related rows',
    query: 'tags/doc1?populate[articles][count]=true',
    sqlite: `
      articles:
        SELECT t3.value, count(*)
        FROM json_each(?) AS t3
        CROSS JOIN "articles_tags_lnk" t4 ON t4."tag_id" = t3.value
        CROSS JOIN "articles" t5 ON t5."id" = t4."article_id"
        WHERE stop(t4) AND t5."published_at" IS NOT NULL
        GROUP BY t3.value
        -- :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "tags" t2
            WHERE t2."document_id" = $1::text AND t2."published_at" IS NOT NULL
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t6.value)::text, (count(*))::text, NULL, NULL, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "articles_tags_lnk" t7 ON t7."tag_id" = t6.value
        JOIN "articles" t8 ON t8."id" = t7."article_id"
        WHERE t8."published_at" IS NOT NULL
        GROUP BY t6.value
      )
      -- :key
    `,
  },
  {
    it: 'media, in the order of their positions',
    query: 'articles/doc1?populate[cover][fields]=url',
    sqlite: `
      cover:
        SELECT t6.parent, t7."id", t7."document_id", t7."url"
        FROM (
          SELECT t3.value AS parent, t5."id" AS id
          FROM json_each(?) AS t3
          CROSS JOIN "files_related_mph" t4 ON t4."related_id" = t3.value
          CROSS JOIN "files" t5 ON t5."id" = t4."file_id"
          WHERE stop(t4) AND +t4."related_type" = ? AND +t4."field" = ?
          ORDER BY t4."order", t4."id"
          LIMIT 100001
        ) t6
        CROSS JOIN "files" t7 ON t7."id" = t6.id
        -- :ids, "api::article.article", "cover"
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "articles" t2
            WHERE t2."document_id" = $1::text AND (t2."locale" IN ($2::text) AND t2."published_at" IS NOT NULL)
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t6.value)::text, (t8."id")::text, (t8."document_id")::text, (t8."url")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "files_related_mph" t7 ON t7."related_id" = t6.value
        JOIN "files" t8 ON t8."id" = t7."file_id"
        WHERE t7."related_type" = $3::text AND t7."field" = $4::text
        ORDER BY t7."order", t7."id"
        LIMIT 100001
      )
      -- :key, "en", "api::article.article", "cover"
    `,
  },
  {
    it: 'a component, and a relation below it',
    query: 'articles/doc1?populate[links][populate][to][fields]=slug',
    sqlite: `
      links:
        SELECT t6.parent, t7."id", t7."label"
        FROM (
          SELECT t3.value AS parent, t5."id" AS id
          FROM json_each(?) AS t3
          CROSS JOIN "articles_cmps" t4 ON t4."entity_id" = t3.value
          CROSS JOIN "components_part_links" t5 ON t5."id" = t4."cmp_id"
          WHERE stop(t4) AND +t4."field" = ? AND +t4."component_type" = ?
          ORDER BY t4."order", t4."id"
          LIMIT 100001
        ) t6
        CROSS JOIN "components_part_links" t7 ON t7."id" = t6.id
        -- :ids, "links", "part.link"
      links.to:
        SELECT t11.parent, t12."id", t12."document_id", t12."slug"
        FROM (
          SELECT t8.value AS parent, t10."id" AS id
          FROM json_each(?) AS t8
          CROSS JOIN "components_part_links_to_lnk" t9 ON t9."link_id" = t8.value
          CROSS JOIN "articles" t10 ON t10."id" = t9."article_id"
          WHERE stop(t9) AND t10."published_at" IS NOT NULL
          ORDER BY t9."id"
          LIMIT 100001
        ) t11
        CROSS JOIN "articles" t12 ON t12."id" = t11.id
        -- :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "articles" t2
            WHERE t2."document_id" = $1::text AND (t2."locale" IN ($2::text) AND t2."published_at" IS NOT NULL)
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ), lectern_0 AS MATERIALIZED (
        SELECT t6.value AS p, t8."id" AS i, (t8."label")::text AS c0
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "articles_cmps" t7 ON t7."entity_id" = t6.value
        JOIN "components_part_links" t8 ON t8."id" = t7."cmp_id"
        WHERE t7."field" = $3::text AND t7."component_type" = $4::text
        ORDER BY t7."order", t7."id"
        LIMIT 100001
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (p)::text, (i)::text, c0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM lectern_0
      ) UNION ALL (
        SELECT 3, (t9.value)::text, (t11."id")::text, (t11."document_id")::text, (t11."slug")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
        ) AS t9(value)
        JOIN "components_part_links_to_lnk" t10 ON t10."link_id" = t9.value
        JOIN "articles" t11 ON t11."id" = t10."article_id"
        WHERE t11."published_at" IS NOT NULL
        ORDER BY t10."id"
        LIMIT 100001
      )
      -- :key, "en", "links", "part.link"
    `,
  },
  {
    it: 'a dynamic zone: references, then the rows of each type',
    query: 'articles/doc1?populate[blocks][on][part.hero][fields]=heading&populate[blocks][on][part.quote][fields]=text',
    sqlite: `
      blocks:
        SELECT t3.value, t4."cmp_id", t4."component_type"
        FROM json_each(?) AS t3
        CROSS JOIN "articles_cmps" t4 ON t4."entity_id" = t3.value
        WHERE stop(t4) AND +t4."field" = ?
        ORDER BY t4."order", t4."id"
        LIMIT 100001
        -- :ids, "blocks"
      blocks[part.hero]:
        SELECT t7."id", t7."heading"
        FROM json_each(?) AS t6
        CROSS JOIN "components_part_heros" t7 ON t7."id" = t6.value
        -- :ids
      blocks[part.quote]:
        SELECT t10."id", t10."text"
        FROM json_each(?) AS t9
        CROSS JOIN "components_part_quotes" t10 ON t10."id" = t9.value
        -- :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "articles" t2
            WHERE t2."document_id" = $1::text AND (t2."locale" IN ($2::text) AND t2."published_at" IS NOT NULL)
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ), lectern_0 AS MATERIALIZED (
        SELECT t6.value AS p, t7."cmp_id" AS i, t7."component_type" AS t
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "articles_cmps" t7 ON t7."entity_id" = t6.value
        WHERE t7."field" = $3::text
        ORDER BY t7."order", t7."id"
        LIMIT 100001
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (p)::text, (i)::text, (t)::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM lectern_0
      ) UNION ALL (
        SELECT 3, (t10."id")::text, (t10."heading")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
          WHERE t = $4::text
        ) AS t9(value)
        JOIN "components_part_heros" t10 ON t10."id" = t9.value
      ) UNION ALL (
        SELECT 4, (t13."id")::text, (t13."text")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
          WHERE t = $5::text
        ) AS t12(value)
        JOIN "components_part_quotes" t13 ON t13."id" = t12.value
      )
      -- :key, "en", "blocks", "part.hero", "part.quote"
    `,
  },
  {
    it: 'a relation of any type: references, then the rows of each type',
    query: 'comments/doc1?populate[about][on][api::section.section][fields]=name',
    sqlite: `
      about:
        SELECT t3.value, t4."target_id", t4."target_type"
        FROM json_each(?) AS t3
        CROSS JOIN "comments" t4 ON t4."id" = t3.value
        WHERE t4."target_id" IS NOT NULL
        LIMIT 100001
        -- :ids
      about[api::section.section]:
        SELECT t7."id", t7."document_id", t7."name"
        FROM json_each(?) AS t6
        CROSS JOIN "sections" t7 ON t7."id" = t6.value
        -- :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "comments" t2
            WHERE t2."document_id" = $1::text
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ), lectern_0 AS MATERIALIZED (
        SELECT t6.value AS p, t7."target_id" AS i, t7."target_type" AS t
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "comments" t7 ON t7."id" = t6.value
        WHERE t7."target_id" IS NOT NULL
        LIMIT 100001
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."text")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "comments" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (p)::text, (i)::text, (t)::text, NULL, NULL, NULL
        FROM lectern_0
      ) UNION ALL (
        SELECT 3, (t10."id")::text, (t10."document_id")::text, (t10."name")::text, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
          WHERE t = $2::text
        ) AS t9(value)
        JOIN "sections" t10 ON t10."id" = t9.value
      )
      -- :key, "api::section.section"
    `,
  },
  {
    it: 'rows that point back by id and type',
    query: 'articles/doc1?populate[comments][fields]=text',
    sqlite: `
      comments:
        SELECT t6.parent, t7."id", t7."document_id", t7."text"
        FROM (
          SELECT t5."target_id" AS parent, t5."id" AS id
          FROM "comments" t5
          WHERE stop(t5) AND t5."target_type" = ? AND t5."target_id" IN (
            SELECT t3.value
            FROM json_each(?) AS t3
          )
          ORDER BY t5."id"
          LIMIT 100001
        ) t6
        CROSS JOIN "comments" t7 ON t7."id" = t6.id
        -- "api::article.article", :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "articles" t2
            WHERE t2."document_id" = $1::text AND (t2."locale" IN ($2::text) AND t2."published_at" IS NOT NULL)
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t8."target_id")::text, (t8."id")::text, (t8."document_id")::text, (t8."text")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM "comments" t8
        WHERE t8."target_type" = $3::text AND t8."target_id" IN (
          SELECT t6.value
          FROM (
            SELECT i
            FROM lectern_page
          ) AS t6(value)
        )
        ORDER BY t8."id"
        LIMIT 100001
      )
      -- :key, "en", "api::article.article"
    `,
  },
  {
    it: 'the other locales of a document',
    query: 'articles/doc1?populate[localizations][fields]=locale',
    sqlite: `
      localizations:
        SELECT t6.parent, t7."id", t7."document_id", t7."locale"
        FROM (
          SELECT t3.value AS parent, t5."id" AS id
          FROM json_each(?) AS t3
          CROSS JOIN "articles" t4 ON t4."id" = t3.value
          CROSS JOIN "articles" t5 ON t5."document_id" = t4."document_id"
          WHERE t5."locale" <> t4."locale" AND t5."published_at" IS NOT NULL AND t5."published_at" IS NOT NULL
          ORDER BY t5."locale", t5."id"
          LIMIT 100001
        ) t6
        CROSS JOIN "articles" t7 ON t7."id" = t6.id
        -- :ids
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "articles" t2
            WHERE t2."document_id" = $1::text AND (t2."locale" IN ($2::text) AND t2."published_at" IS NOT NULL)
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t6.value)::text, (t8."id")::text, (t8."document_id")::text, (t8."locale")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t6(value)
        JOIN "articles" t7 ON t7."id" = t6.value
        JOIN "articles" t8 ON t8."document_id" = t7."document_id"
        WHERE t8."locale" <> t7."locale" AND t8."published_at" IS NOT NULL AND t8."published_at" IS NOT NULL
        ORDER BY t8."locale", t8."id"
        LIMIT 100001
      )
      -- :key, "en"
    `,
  },
];

const stages = new ReadStages();

testDialects(cases, (query, dialect) => printPopulated(stages.compile({ query }, dialect)));
