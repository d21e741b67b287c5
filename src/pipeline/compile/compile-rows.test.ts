import { printRoot } from '../../../test/support/stages/print-sql.ts';
import { ReadStages } from '../../../test/support/stages/read-stages.ts';
import { type DialectCase, testDialects } from '../../../test/support/stages/test-dialects.ts';

/** The statements for a request's rows. `:key` is the key in the path, `:ids` the row ids. */
const cases: readonly DialectCase[] = [
  {
    it: 'one document in the first locale that it has',
    query: 'articles/doc1?fields=title&locale=fr&fallback=en',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."title", t1."locale", t1."updated_at"
      FROM "articles" t1
      WHERE t1."document_id" = ? AND (t1."locale" IN (?, ?) AND t1."published_at" IS NOT NULL AND NOT EXISTS (
        SELECT 1
        FROM "articles" t2
        WHERE t2."document_id" = t1."document_id" AND CASE WHEN t2."locale" = ? THEN 0 WHEN t2."locale" = ? THEN 1 END < CASE WHEN t1."locale" = ? THEN 0 WHEN t1."locale" = ? THEN 1 END AND t2."published_at" IS NOT NULL
      ))
      ORDER BY +t1."id" ASC
      LIMIT 1
      -- :key, "fr", "en", "fr", "en", "fr", "en"
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "articles" t2
            WHERE t2."document_id" = $1::text AND (t2."locale" IN ($2::text, $3::text) AND t2."published_at" IS NOT NULL AND NOT EXISTS (
              SELECT 1
              FROM "articles" t5
              WHERE t5."document_id" = t2."document_id" AND CASE WHEN t5."locale" = $4::text THEN 0 WHEN t5."locale" = $5::text THEN 1 END < CASE WHEN t2."locale" = $6::text THEN 0 WHEN t2."locale" = $7::text THEN 1 END AND t5."published_at" IS NOT NULL
            ))
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."title")::text, (t1."locale")::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
      -- :key, "fr", "en", "fr", "en", "fr", "en"
    `,
  },
  {
    it: 'a page, its total, and another way to the same page',
    query: 'tags?fields=name&pagination[page]=3',
    sqlite: `
      rows:
        SELECT t1."id", t1."document_id", t1."name"
        FROM "tags" t1
        WHERE stop(t1) AND t1."published_at" IS NOT NULL
        ORDER BY t1."id" ASC
        LIMIT ? + 0 OFFSET ?
        -- :limit, :offset
      count:
        SELECT count(*)
        FROM "tags" t2
        WHERE stop(t2) AND t2."published_at" IS NOT NULL
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t4.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t3."id" AS id
            FROM "tags" t3
            WHERE t3."published_at" IS NOT NULL
          ) t5
          ORDER BY t5.id
          LIMIT :page
        ) t4
      ) (
        SELECT 0, (CASE WHEN (
          SELECT CASE WHEN count(*) = 0 THEN $1::bigint = 0 ELSE count(*) < $2::bigint END
          FROM lectern_page
        ) THEN NULL ELSE (
          SELECT count(*)
          FROM "tags" t2
          WHERE t2."published_at" IS NOT NULL
        ) END)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
      -- :offset, :limit
    `,
  },
  {
    it: 'a list without pagination, and one row more than may be read',
    query: 'users?fields=username',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."username"
      FROM "up_users" t1
      WHERE stop(t1)
      ORDER BY t1."id" ASC
      LIMIT 100001
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "up_users" t2
          ) t4
          ORDER BY t4.id
          LIMIT 100001
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."username")::text
        FROM lectern_page
        JOIN "up_users" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "up_users" t2
            WHERE t2."id" = $1::bigint
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."username")::text
        FROM lectern_page
        JOIN "up_users" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "homepages" t2
          ) t4
          ORDER BY t4.id
          LIMIT 1
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."headline")::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "homepages" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."views"::text)::text, (CASE jsonb_typeof(t1."extra"::jsonb) WHEN 'string' THEN t1."extra"::jsonb #>> '{}' ELSE t1."extra"::text END)::text, (floor(extract(epoch from t1."starts_at") * 1000)::bigint)::text, (to_char(t1."day", 'YYYY-MM-DD'))::text, (to_char(t1."opens", 'HH24:MI:SS.MS'))::text, (t1."featured")::text, (floor(extract(epoch from t1."updated_at") * 1000)::bigint)::text
        FROM lectern_page
        JOIN "articles" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
          WHERE stop(t2)
        ) t3
        ORDER BY t3.k0 DESC, t3.id
        LIMIT ? + 0 OFFSET ?
      ) t4
      CROSS JOIN "sections" t5 ON t5."id" = t4.id
      -- :limit, :offset
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id, t2."name" AS k0
            FROM "sections" t2
          ) t4
          ORDER BY t4.k0 COLLATE "C" DESC NULLS LAST, t4.id
          LIMIT :page
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "sections" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
            WHERE stop(t9) AND t8."section_id" = t4."id"
            ORDER BY t9."username" ASC
            LIMIT 1
          ) AS k0
          FROM "sections" t4
          WHERE stop(t4)
        ) t5
        ORDER BY t5.k0 ASC, t5.id
        LIMIT ? + 0 OFFSET ?
      ) t6
      CROSS JOIN "sections" t7 ON t7."id" = t6.id
      -- :limit, :offset
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id, (
              SELECT t6."username"
              FROM ("sections_editor_lnk" t5 JOIN "up_users" t6 ON t6."id" = t5."user_id")
              WHERE t5."section_id" = t2."id"
              ORDER BY t6."username" COLLATE "C" ASC NULLS FIRST
              LIMIT 1
            ) AS k0
            FROM "sections" t2
          ) t4
          ORDER BY t4.k0 COLLATE "C" ASC NULLS FIRST, t4.id
          LIMIT :page
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "sections" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
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
            JOIN ("articles_section_lnk" t17 JOIN "articles" t18 ON t18."id" = t17."article_id") ON stop(t18) AND t17."section_id" = t16."id" AND t18."published_at" IS NOT NULL
            LEFT JOIN (
              SELECT t20."id" AS id, max(t22."name") AS v
              FROM "articles" t20
              JOIN ("articles_tags_lnk" t21 JOIN "tags" t22 ON t22."id" = t21."tag_id") ON stop(t22) AND t21."article_id" = t20."id" AND t22."published_at" IS NOT NULL
              GROUP BY t20."id"
            ) t19 ON t19.id = t18."id"
            GROUP BY t16."id"
          ) t15 ON t15.id = t11."id"
          WHERE stop(t11)
        ) t12
        ORDER BY t12.k0 DESC, t12.id
        LIMIT ? + 0 OFFSET ?
      ) t13
      CROSS JOIN "sections" t14 ON t14."id" = t13.id
      -- :limit, :offset
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id, t5.v AS k0
            FROM "sections" t2
            LEFT JOIN (
              SELECT t6."id" AS id, max(t9.v) AS v
              FROM "sections" t6
              JOIN ("articles_section_lnk" t7 JOIN "articles" t8 ON t8."id" = t7."article_id") ON t7."section_id" = t6."id" AND t8."published_at" IS NOT NULL
              LEFT JOIN (
                SELECT t10."id" AS id, max(t12."name" COLLATE "C") AS v
                FROM "articles" t10
                JOIN ("articles_tags_lnk" t11 JOIN "tags" t12 ON t12."id" = t11."tag_id") ON t11."article_id" = t10."id" AND t12."published_at" IS NOT NULL
                GROUP BY t10."id"
              ) t9 ON t9.id = t8."id"
              GROUP BY t6."id"
            ) t5 ON t5.id = t2."id"
          ) t4
          ORDER BY t4.k0 COLLATE "C" DESC NULLS LAST, t4.id
          LIMIT :page
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "sections" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
    `,
  },
  {
    it: 'a search, in numbers as well where the text is a number',
    query: 'tags?fields=name&_q=7&pagination[withCount]=false',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."name"
      FROM "tags" t1
      WHERE stop(t1) AND (t1."published_at" IS NOT NULL AND ((stop(t1."id") AND instr(lectern_fold(t1."id"), ?) > 0) OR (stop(t1."document_id") AND instr(lectern_fold(t1."document_id"), ?) > 0) OR (stop(t1."name") AND instr(lectern_fold(t1."name"), ?) > 0)))
      ORDER BY t1."id" ASC
      LIMIT ? + 0 OFFSET ?
      -- "7", "7", "7", :limit, :offset
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "tags" t2
            WHERE (t2."published_at" IS NOT NULL AND (strpos(lower((t2."id")::text), lower($1::text)) > 0 OR strpos(lower(t2."document_id"), lower($2::text)) > 0 OR strpos(lower(t2."name"), lower($3::text)) > 0))
          ) t4
          ORDER BY t4.id
          LIMIT :page
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
      -- "7", "7", "7"
    `,
  },
  {
    it: 'a page with a condition that is costly to evaluate: cheap conditions first, and once for the page and its total',
    query: 'tags?fields=name&filters[name][$contains]=a&filters[id][$gt]=1&sort=name:desc',
    sqlite: `
      rows:
        SELECT t5."id", t5."document_id", t5."name"
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id, t2."name" AS k0
            FROM "tags" t2
            WHERE stop(t2) AND (t2."published_at" IS NOT NULL AND (t2."id" > ? AND (stop(t2."name") AND instr(t2."name", ?) > 0)))
          ) t3
          ORDER BY t3.k0 DESC, t3.id
          LIMIT ? + 0 OFFSET ?
        ) t4
        CROSS JOIN "tags" t5 ON t5."id" = t4.id
        -- 1, "a", :limit, :offset
      count:
        SELECT count(*)
        FROM "tags" t6
        WHERE stop(t6) AND (t6."published_at" IS NOT NULL AND (t6."id" > ? AND (stop(t6."name") AND instr(t6."name", ?) > 0)))
        -- 1, "a"
      page and total:
        WITH lectern_found AS MATERIALIZED (
          SELECT t7."id" AS id, t7."name" AS k0
          FROM "tags" t7
          WHERE stop(t7) AND (t7."published_at" IS NOT NULL AND (t7."id" > ? AND (stop(t7."name") AND instr(t7."name", ?) > 0)))
        ) SELECT id
        FROM (
          SELECT t8.id
          FROM lectern_found t8
          ORDER BY t8.k0 DESC, t8.id
          LIMIT ? + 0 OFFSET ?
        ) UNION ALL SELECT count(*)
        FROM lectern_found
        -- 1, "a", :limit, :offset
      rows of ids:
        SELECT t10."id", t10."document_id", t10."name"
        FROM json_each(?) AS t9
        CROSS JOIN "tags" t10 ON t10."id" = t9.value
        -- :ids
    `,
    postgres: `
      WITH lectern_found AS MATERIALIZED (
        SELECT t2."id" AS id, t2."name" AS k0
        FROM "tags" t2
        WHERE (t2."published_at" IS NOT NULL AND (t2."id" > $1::bigint AND strpos(t2."name", $2::text) > 0))
      ), lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM lectern_found t4
          ORDER BY t4.k0 COLLATE "C" DESC NULLS LAST, t4.id
          LIMIT :page
        ) t3
      ) (
        SELECT 0, ((
          SELECT count(*)
          FROM lectern_found
        ))::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
      -- 1, "a"
    `,
  },
  {
    it: 'documents whose draft is newer than what is published',
    query: 'tags?fields=name&publicationFilter=modified&pagination[withCount]=false',
    sqlite: `
      SELECT t1."id", t1."document_id", t1."name"
      FROM "tags" t1
      WHERE stop(t1) AND (t1."published_at" IS NOT NULL AND EXISTS (
        SELECT 1
        FROM "tags" t2
        WHERE t2."document_id" = t1."document_id" AND t2."published_at" IS NULL AND t2."updated_at" > t1."updated_at"
      ))
      ORDER BY t1."id" ASC
      LIMIT ? + 0 OFFSET ?
      -- :limit, :offset
    `,
    postgres: `
      WITH lectern_page AS MATERIALIZED (
        SELECT t3.id AS i, row_number() OVER () AS n
        FROM (
          SELECT *
          FROM (
            SELECT t2."id" AS id
            FROM "tags" t2
            WHERE (t2."published_at" IS NOT NULL AND EXISTS (
              SELECT 1
              FROM "tags" t5
              WHERE t5."document_id" = t2."document_id" AND t5."published_at" IS NULL AND t5."updated_at" > t2."updated_at"
            ))
          ) t4
          ORDER BY t4.id
          LIMIT :page
        ) t3
      ) (
        SELECT 0, (NULL)::text, (NULL)::text, (NULL)::text 
      ) UNION ALL (
        SELECT 1, (t1."id")::text, (t1."document_id")::text, (t1."name")::text
        FROM lectern_page
        JOIN "tags" t1 ON t1."id" = lectern_page.i
        ORDER BY lectern_page.n
      )
    `,
  },
];

const stages = new ReadStages();

testDialects(cases, (query, dialect) => printRoot(stages.compile({ query }, dialect)));
