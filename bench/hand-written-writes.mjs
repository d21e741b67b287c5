/** `node hand-written-writes.mjs DATABASE SYNCHRONOUS`: a server that creates articles of the example, as a good engineer would write it by
 *  hand: Fastify, prepared statements, one transaction. No rights, one locale, and no validation except of the title and the unique slug. */

import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { article, articleColumns } from './hand-written-article.mjs';
import { source } from './source.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const [file, synchronous] = process.argv.slice(2);
const database = new BetterSqlite3(file, { fileMustExist: true, timeout: 5000 });
database.pragma(`synchronous = ${synchronous}`);
database.pragma('foreign_keys = ON');
const prepare = (text) => database.prepare(text);

const taken = prepare("SELECT 1 FROM articles WHERE slug = ? AND published_at IS NOT NULL AND locale = 'en' LIMIT 1");
const insert = prepare(
  `INSERT INTO articles (document_id, title, slug, summary, body, sidebar, kind, reading_minutes, distance, visited_on, event_at, featured, facts,
     contact_email, created_at, updated_at, published_at, locale)
   VALUES (@documentId, @title, @slug, @summary, @body, @sidebar, @kind, @readingMinutes, @distance, @visitedOn, @eventAt, @featured, @facts,
     @contactEmail, @now, @now, @publishedAt, 'en')`,
);
const result = prepare(`SELECT ${articleColumns} FROM articles WHERE id = ?`);

/** The row of a target for each version: types without drafts have one row for both. */
const targetOf = (table) => {
  const rows = prepare(`SELECT id, published_at FROM ${table} WHERE document_id = ? ORDER BY id`);
  return (documentId) => {
    const found = rows.all(documentId);
    if (found.length === 0) throw new Error(`no ${table} ${documentId}`);
    const draft = found.find(({ published_at: time }) => time === null);
    return { draft: (draft ?? found[0]).id, published: (found.find(({ published_at: time }) => time !== null) ?? found[0]).id };
  };
};
const targets = { category: targetOf('categories'), author: targetOf('authors'), tag: targetOf('tags') };
const last = (table, column) => prepare(`SELECT COALESCE(MAX(article_ord), 0) + 1 FROM ${table} WHERE ${column} = ?`).pluck();
const one = (name) => ({
  place: last(`articles_${name}_lnk`, `${name}_id`),
  link: prepare(`INSERT INTO articles_${name}_lnk (article_id, ${name}_id, article_ord) VALUES (?, ?, ?)`),
});
const single = { category: one('category'), author: one('author') };
const tagPlace = last('articles_tags_lnk', 'tag_id');
const tagLink = prepare('INSERT INTO articles_tags_lnk (article_id, tag_id, tag_ord, article_ord) VALUES (?, ?, ?, ?)');
const seo = prepare('INSERT INTO components_shared_seos (meta_title, meta_description, keywords) VALUES (?, ?, ?)');
const link = prepare('INSERT INTO components_shared_links (label, url) VALUES (?, ?)');
const join = prepare('INSERT INTO articles_cmps (entity_id, cmp_id, component_type, field, "order") VALUES (?, ?, ?, ?, ?)');

const text = (value) => (value === undefined ? null : JSON.stringify(value));

const create = database.transaction((data) => {
  if (typeof data.title !== 'string' || data.title.length > 120) throw new Error('title');
  if (taken.get(data.slug) !== undefined) throw new Error('slug');
  const now = Date.now();
  const row = {
    documentId: randomBytes(12).toString('hex'),
    title: data.title,
    slug: data.slug,
    summary: data.summary ?? null,
    body: data.body ?? null,
    sidebar: text(data.sidebar),
    kind: data.kind ?? 'essay',
    readingMinutes: data.readingMinutes ?? null,
    distance: data.distance ?? null,
    visitedOn: data.visitedOn ?? null,
    eventAt: data.eventAt === undefined ? null : Date.parse(data.eventAt),
    featured: data.featured === true ? 1 : 0,
    facts: text(data.facts),
    contactEmail: data.contactEmail ?? null,
    now,
  };
  let published = 0;
  for (const status of ['draft', 'published']) {
    const { lastInsertRowid: id } = insert.run({ ...row, publishedAt: status === 'draft' ? null : now });
    published = id;
    for (const name of ['category', 'author']) {
      if (data[name] === undefined) continue;
      const target = targets[name](data[name])[status];
      single[name].link.run(id, target, single[name].place.get(target));
    }
    (data.tags ?? []).forEach((documentId, index) => {
      const target = targets.tag(documentId)[status];
      tagLink.run(id, target, index + 1, tagPlace.get(target));
    });
    if (data.seo !== undefined) {
      const { metaTitle, metaDescription, keywords } = data.seo;
      join.run(id, seo.run(metaTitle, metaDescription, keywords).lastInsertRowid, 'shared.seo', 'seo', null);
    }
    (data.links ?? []).forEach(({ label, url }, index) => {
      join.run(id, link.run(label, url).lastInsertRowid, 'shared.link', 'links', index + 1);
    });
  }
  return result.get(published);
});

const app = Fastify({ logger: false });
app.post('/api/articles', (request, reply) => {
  const row = create.immediate(request.body.data);
  reply
    .code(201)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ data: article(row), meta: {} }));
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`http://127.0.0.1:${app.server.address().port}\n`);
process.on('SIGTERM', () => process.exit(0));
