/** Adds published articles to the database of the recordings, which a real Strapi made, in the rows that Strapi itself would have written: a draft and a
 *  published row for each article, with a category, an author, three tags, a cover, and five components of each row. The same in every run. */
import { cpSync } from 'node:fs';
import { capital, randomNumbers, words } from './content.mjs';
import { source } from './source.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const start = 1_700_000_000_000;
const minute = 60_000;
const kinds = ['news', 'review', 'guide'];
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Orders of added links begin here, beyond those of the recorded articles. */
const firstOrder = 1000;

/** @param {{from: string, to: string, articles: number}} files `from` is copied to `to`, which then has this many articles more */
export function growStrapiContent({ from, to, articles }) {
  cpSync(from, to);
  const database = new BetterSqlite3(to);
  database.pragma('foreign_keys = OFF');
  database.pragma('synchronous = OFF');
  const add = adder(database);
  database.transaction(() => {
    const random = randomNumbers(7);
    for (let number = 0; number < articles; number++) addArticle(add, random, number);
  })();
  database.close();
}

function adder(database) {
  const ids = (text) => database.prepare(text).pluck().all();
  const insert = (table, columns) => {
    const statement = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    return (...values) => statement.run(...values).lastInsertRowid;
  };
  return {
    categories: ids('SELECT id FROM categories ORDER BY id'),
    authors: ids('SELECT id FROM authors ORDER BY id'),
    images: ids("SELECT id FROM files WHERE mime LIKE 'image/%' ORDER BY id"),
    /** Each tag has a draft and a published row. */
    tags: database
      .prepare(
        `SELECT draft.id AS draft, published.id AS published FROM tags draft JOIN tags published USING (document_id)
         WHERE draft.published_at IS NULL AND published.published_at IS NOT NULL ORDER BY draft.id`,
      )
      .all(),
    article: insert('articles', [
      ...['document_id', 'title', 'slug', 'summary', 'body', 'content', 'kind', 'contact_email', 'rating', 'views', 'score', 'price'],
      ...['featured', 'release_date', 'air_time', 'starts_at', 'stamp', 'extra', 'internal_notes', 'created_at', 'updated_at'],
      ...['locale', 'published_at'],
    ]),
    toCategory: insert('articles_category_lnk', ['article_id', 'category_id', 'article_ord']),
    toAuthor: insert('articles_author_lnk', ['article_id', 'author_id', 'article_ord']),
    toTag: insert('articles_tags_lnk', ['article_id', 'tag_id', 'tag_ord', 'article_ord']),
    toFile: insert('files_related_mph', ['file_id', 'related_id', 'related_type', 'field', '"order"']),
    toComponent: insert('articles_cmps', ['entity_id', 'cmp_id', 'component_type', 'field', '"order"']),
    seo: insert('components_shared_seos', ['meta_title', 'meta_description', 'keywords']),
    link: insert('components_shared_links', ['label', 'url']),
    richText: insert('components_shared_rich_texts', ['body']),
    quote: insert('components_shared_quotes', ['title', 'body']),
  };
}

function addArticle(add, random, number) {
  const whole = (below) => Math.floor(random() * below);
  const pick = (list) => list[whole(list.length)];
  const text = (length) => Array.from({ length }, () => pick(words)).join(' ');
  const created = start + number * minute;
  const title = `${capital(pick(words))} ${pick(words)} number ${number}`;
  const summary = text(20);
  const body = text(60);
  const content = JSON.stringify([{ type: 'paragraph', children: [{ type: 'text', text: text(30) }] }]);
  const score = random() * 100;
  const price = Math.round(score * 300) / 100;
  const [category, author, image, firstTag] = [pick(add.categories), pick(add.authors), pick(add.images), whole(add.tags.length)];
  const day = `2024-05-${String(1 + (number % 28)).padStart(2, '0')}`;
  const values = [
    ...[`p${Array.from({ length: 23 }, () => letters[whole(letters.length)]).join('')}`, title, `perf-${number}`, summary, body, content],
    ...[kinds[number % 3], `desk${number}@example.com`, whole(11), whole(1_000_000), score, price, number % 2, day, '10:20:30.000'],
    ...[created, String(created), '{"a":1,"b":[1,2]}', 'internal', created, created + 1000, 'en'],
  ];
  for (const [version, publishedAt] of Object.entries({ draft: null, published: created + 5000 })) {
    const article = add.article(...values, publishedAt);
    add.toCategory(article, category, firstOrder + number);
    add.toAuthor(article, author, firstOrder + number);
    for (let order = 0; order < 3; order++) {
      const tag = add.tags[(firstTag + order) % add.tags.length];
      add.toTag(article, tag[version], order + 1, firstOrder + number);
    }
    add.toFile(image, article, 'api::article.article', 'cover', 1);
    const components = [
      [add.seo(title, summary, 'a,b'), 'shared.seo', 'seo', null],
      [add.link('more', '/x'), 'shared.link', 'links', 1],
      [add.richText(body), 'shared.rich-text', 'blocks', 1],
      [add.quote('q', summary), 'shared.quote', 'blocks', 2],
      [add.richText(summary), 'shared.rich-text', 'blocks', 3],
    ];
    for (const component of components) add.toComponent(article, ...component);
  }
}
