/** `node hand-written.mjs DATABASE`: a server for exactly two of the URLs, as a good engineer would write it by hand, on the database of the
 *  example: Fastify, prepared statements, one for each populated path, objects, JSON.stringify. No access rights, no parameters, one locale. */

import Fastify from 'fastify';
import { article, articleColumns, json, times } from './hand-written-article.mjs';
import { source } from './source.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const database = new BetterSqlite3(process.argv[2], { readonly: true, fileMustExist: true });
const prepare = (text) => database.prepare(text);

const published = "FROM articles WHERE locale = 'en' AND published_at IS NOT NULL";
const firstPage = prepare(`SELECT ${articleColumns} ${published} ORDER BY id LIMIT 25`);
const count = prepare(`SELECT count(*) ${published}`).pluck();
const linked = (columns, table, join, order) =>
  prepare(`SELECT parents.value AS parent, ${columns} FROM json_each(?) parents CROSS JOIN ${table} ${join} ORDER BY ${order}`);

const categories = linked(
  't.*',
  'articles_category_lnk l ON l.article_id = parents.value',
  'CROSS JOIN categories t ON t.id = l.category_id',
  'l.id',
);
const tags = linked(
  't.*',
  'articles_tags_lnk l ON l.article_id = parents.value',
  'CROSS JOIN tags t ON t.id = l.tag_id',
  'l.tag_ord, l.id',
);
const covers = linked(
  't.*',
  "files_related_mph l ON l.related_id = parents.value AND +l.related_type = 'api::article.article' AND +l.field = 'cover'",
  'CROSS JOIN files t ON t.id = l.file_id',
  'l."order", l.id',
);
const seos = linked(
  't.*',
  "articles_cmps l ON l.entity_id = parents.value AND +l.field = 'seo' AND +l.component_type = 'shared.seo'",
  'CROSS JOIN components_shared_seos t ON t.id = l.cmp_id',
  'l."order", l.id',
);

const category = (row) => ({
  id: row.id,
  documentId: row.document_id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  position: row.position,
  ...times(row),
});
const tag = (row) => ({ id: row.id, documentId: row.document_id, name: row.name, slug: row.slug, ...times(row) });
const file = (row) => ({
  id: row.id,
  documentId: row.document_id,
  name: row.name,
  alternativeText: row.alternative_text,
  caption: row.caption,
  focalPoint: json(row.focal_point),
  width: row.width,
  height: row.height,
  formats: json(row.formats),
  hash: row.hash,
  ext: row.ext,
  mime: row.mime,
  size: row.size,
  url: row.url,
  previewUrl: row.preview_url,
  provider: row.provider,
  provider_metadata: json(row.provider_metadata),
  ...times(row),
});
const seo = (row) => ({ id: row.id, metaTitle: row.meta_title, metaDescription: row.meta_description, keywords: row.keywords });

/** Groups the entries of a populated path by their parent. */
function grouped(statement, parents, make) {
  const groups = new Map();
  for (const row of statement.all(parents)) {
    const group = groups.get(row.parent);
    if (group === undefined) groups.set(row.parent, [make(row)]);
    else group.push(make(row));
  }
  return groups;
}

const envelope = (data) => {
  const total = count.get();
  return JSON.stringify({ data, meta: { pagination: { page: 1, pageSize: 25, pageCount: Math.ceil(total / 25), total } } });
};

const list = database.transaction(() => envelope(firstPage.all().map(article)));

const populated = database.transaction(() => {
  const rows = firstPage.all();
  const parents = JSON.stringify(rows.map(({ id }) => id));
  const found = {
    category: grouped(categories, parents, category),
    tags: grouped(tags, parents, tag),
    cover: grouped(covers, parents, file),
    seo: grouped(seos, parents, seo),
  };
  const one = (name, id) => found[name].get(id)?.[0] ?? null;
  return envelope(
    rows.map((row) => ({
      ...article(row),
      category: one('category', row.id),
      tags: found.tags.get(row.id) ?? [],
      cover: one('cover', row.id),
      seo: one('seo', row.id),
    })),
  );
});

const app = Fastify({ logger: false });
app.get('/api/articles', (request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send('populate[0]' in request.query ? populated() : list());
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`http://127.0.0.1:${app.server.address().port}\n`);
process.on('SIGTERM', () => process.exit(0));
