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
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t5.value)::text, (t7."id")::text, (t7."document_id")::text, (t7."title")::text, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "articles_tags_lnk" t6 ON t6."tag_id" = t5.value
        JOIN "articles" t7 ON t7."id" = t6."article_id"
        WHERE t7."published_at" IS NOT NULL
        ORDER BY t6."article_ord", t6."id"
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
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "sections" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t5.value)::text, (t7."id")::text, (t7."document_id")::text, (t7."title")::text, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "articles_section_lnk" t6 ON t6."section_id" = t5.value
        JOIN "articles" t7 ON t7."id" = t6."article_id"
        WHERE (t7."published_at" IS NOT NULL AND t7."rating" = $2::bigint)
        ORDER BY t7."title" COLLATE "C" ASC NULLS FIRST, t6."article_ord", t6."id"
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
        SELECT t2.value, count(*)
        FROM json_each(?) AS t2
        CROSS JOIN "articles_tags_lnk" t3 ON t3."tag_id" = t2.value
        CROSS JOIN "articles" t4 ON t4."id" = t3."article_id"
        WHERE t4."published_at" IS NOT NULL
        GROUP BY t2.value
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
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t5.value)::text, (count(*))::text, NULL, NULL, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "articles_tags_lnk" t6 ON t6."tag_id" = t5.value
        JOIN "articles" t7 ON t7."id" = t6."article_id"
        WHERE t7."published_at" IS NOT NULL
        GROUP BY t5.value
      )
      -- :key
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
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t5.value)::text, (t7."id")::text, (t7."document_id")::text, (t7."url")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "files_related_mph" t6 ON t6."related_id" = t5.value
        JOIN "files" t7 ON t7."id" = t6."file_id"
        WHERE t6."related_type" = $3::text AND t6."field" = $4::text
        ORDER BY t6."order", t6."id"
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
        SELECT t5.value AS p, t7."id" AS i, (t7."label")::text AS c0
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "articles_cmps" t6 ON t6."entity_id" = t5.value
        JOIN "components_part_links" t7 ON t7."id" = t6."cmp_id"
        WHERE t6."field" = $3::text AND t6."component_type" = $4::text
        ORDER BY t6."order", t6."id"
        LIMIT 100001
      ) (
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (p)::text, (i)::text, c0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM lectern_0
      ) UNION ALL (
        SELECT 3, (t8.value)::text, (t10."id")::text, (t10."document_id")::text, (t10."slug")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
        ) AS t8(value)
        JOIN "components_part_links_to_lnk" t9 ON t9."link_id" = t8.value
        JOIN "articles" t10 ON t10."id" = t9."article_id"
        WHERE t10."published_at" IS NOT NULL
        ORDER BY t9."id"
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
        SELECT t5.value AS p, t6."cmp_id" AS i, t6."component_type" AS t
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "articles_cmps" t6 ON t6."entity_id" = t5.value
        WHERE t6."field" = $3::text
        ORDER BY t6."order", t6."id"
        LIMIT 100001
      ) (
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (p)::text, (i)::text, (t)::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM lectern_0
      ) UNION ALL (
        SELECT 3, (t8."id")::text, (t8."heading")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
          WHERE t = $4::text
        ) AS t7(value)
        JOIN "components_part_heros" t8 ON t8."id" = t7.value
      ) UNION ALL (
        SELECT 4, (t10."id")::text, (t10."text")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
          WHERE t = $5::text
        ) AS t9(value)
        JOIN "components_part_quotes" t10 ON t10."id" = t9.value
      )
      -- :key, "en", "blocks", "part.hero", "part.quote"
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
        SELECT t5.value AS p, t6."target_id" AS i, t6."target_type" AS t
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "comments" t6 ON t6."id" = t5.value
        WHERE t6."target_id" IS NOT NULL
        LIMIT 100001
      ) (
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."text")::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "comments" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (p)::text, (i)::text, (t)::text, NULL, NULL, NULL
        FROM lectern_0
      ) UNION ALL (
        SELECT 3, (t8."id")::text, (t8."document_id")::text, (t8."name")::text, NULL, NULL, NULL
        FROM (
          SELECT DISTINCT i
          FROM lectern_0
          WHERE t = $2::text
        ) AS t7(value)
        JOIN "sections" t8 ON t8."id" = t7.value
      )
      -- :key, "api::section.section"
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
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t7."target_id")::text, (t7."id")::text, (t7."document_id")::text, (t7."text")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM "comments" t7
        WHERE t7."target_type" = $3::text AND t7."target_id" IN (
          SELECT t5.value
          FROM (
            SELECT i
            FROM lectern_page
          ) AS t5(value)
        )
        ORDER BY t7."id"
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
        SELECT 0, CASE WHEN NOT pg_is_in_recovery() THEN concat(pg_current_snapshot(), ' ', extract(epoch from pg_postmaster_start_time())) END, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."slug")::text, (t1."body")::text, (t1."rating")::text, (t1."views"::text)::text, (t1."price")::text, (t1."featured")::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (t1."mood")::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."created_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text, (floor(extract(epoch from t1."published_at") * 1000)::bigint)::text, (t1."locale")::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      ) UNION ALL (
        SELECT 2, (t5.value)::text, (t7."id")::text, (t7."document_id")::text, (t7."locale")::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
          SELECT i
          FROM lectern_page
        ) AS t5(value)
        JOIN "articles" t6 ON t6."id" = t5.value
        JOIN "articles" t7 ON t7."document_id" = t6."document_id"
        WHERE t7."locale" <> t6."locale" AND t7."published_at" IS NOT NULL AND t7."published_at" IS NOT NULL
        ORDER BY t7."locale", t7."id"
        LIMIT 100001
      )
      -- :key, "en"
    `,
  },
];

const stages = new ReadStages();

testDialects(cases, (query, dialect) => printPopulated(stages.compile({ query }, dialect)));
