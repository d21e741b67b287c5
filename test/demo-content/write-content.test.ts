import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContent } from '../../src/demo-content/read-content.ts';
import { documentIdOf } from '../../src/demo-content/stable-document-id.ts';
import { writeContent } from '../../src/demo-content/write-content.ts';
import { openSqliteDatabase } from '../../src/dialects/sqlite-connection.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const blog = fileURLToPath(new URL('../../examples/blog', import.meta.url));

const folder = useTemporaryFolder();
const database = openSqliteDatabase(join(folder, 'data.db'), { create: true });
beforeAll(async () => {
  const loaded = loadModel(blog, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const prepared = await prepareDatabase(database, loaded.model, { migrate: 'auto' });
  if (!prepared.ok) throw new Error(prepared.problems.join('\n'));
  const content = await readContent(join(blog, 'content'));
  const tokens = [{ name: 'Tags', type: 'custom', token: 'abc', permissions: ['api::tag.tag.find'] }] as const;
  await writeContent(database, loaded.model, { ...content, access: { ...content.access, tokens, apiTokenSalt: 'salt' } });
});
afterAll(() => database.close());

describe('the example', () => {
  const cases: { it: string; text: string; rows: readonly (readonly unknown[])[] }[] = [
    {
      it: 'has a draft row and a published row for each locale, with one document id and the same times',
      text: `SELECT locale, published_at IS NULL, count(DISTINCT document_id), min(created_at) = max(created_at), min(length(document_id))
             FROM articles WHERE title IN ('The last keeper of Gannet Ness', 'Le dernier gardien de Gannet Ness') GROUP BY 1, 2 ORDER BY 1, 2`,
      rows: [
        ['en', 0, 1, 1, 24],
        ['en', 1, 1, 1, 24],
        ['fr', 0, 1, 1, 24],
        ['fr', 1, 1, 1, 24],
      ],
    },
    {
      it: 'gives translations what is not localized',
      text: "SELECT DISTINCT reading_minutes, featured FROM articles WHERE slug = 'le-dernier-gardien-de-gannet-ness'",
      rows: [[9, 1]],
    },
    {
      it: 'links rows only to rows of the same status where both types have drafts',
      text: `SELECT count(*) FROM articles_tags_lnk l JOIN articles a ON a.id = l.article_id JOIN tags t ON t.id = l.tag_id
             WHERE (a.published_at IS NULL) <> (t.published_at IS NULL)`,
      rows: [[0]],
    },
    {
      it: 'links related articles within one locale',
      text: `SELECT count(*) FROM articles_related_lnk l JOIN articles a ON a.id = l.article_id JOIN articles b ON b.id = l.inv_article_id
             WHERE a.locale <> b.locale`,
      rows: [[0]],
    },
    {
      it: 'orders the targets of a source, the same in draft and published rows',
      text: `SELECT a.published_at IS NULL, t.name, l.tag_ord FROM articles_tags_lnk l JOIN articles a ON a.id = l.article_id
             JOIN tags t ON t.id = l.tag_id WHERE a.slug = 'forty-gates' ORDER BY 1, l.tag_ord`,
      rows: [
        [0, 'walking', 1],
        [0, 'coast', 2],
        [1, 'walking', 1],
        [1, 'coast', 2],
      ],
    },
    {
      it: 'copies components, nested ones too, for the published row',
      text: `SELECT a.published_at IS NULL, c.component_type, c."order", count(n.id) FROM articles a JOIN articles_cmps c ON c.entity_id = a.id
             LEFT JOIN components_shared_call_to_actions_cmps n ON n.entity_id = c.cmp_id AND c.component_type = 'shared.call-to-action'
             WHERE a.slug = 'forty-gates' AND c.field IN ('blocks', 'seo') GROUP BY c.id ORDER BY 1, 3`,
      rows: [
        [0, 'shared.seo', null, 0],
        [0, 'shared.rich-text', 1, 0],
        [0, 'shared.media', 2, 0],
        [0, 'shared.quote', 3, 0],
        [0, 'shared.call-to-action', 4, 1],
        [1, 'shared.seo', null, 0],
        [1, 'shared.rich-text', 1, 0],
        [1, 'shared.media', 2, 0],
        [1, 'shared.quote', 3, 0],
        [1, 'shared.call-to-action', 4, 1],
      ],
    },
    {
      it: 'never shares a component row',
      text: 'SELECT count(*) - count(DISTINCT cmp_id || component_type) FROM (SELECT * FROM articles_cmps UNION ALL SELECT * FROM homepages_cmps)',
      rows: [[0]],
    },
    {
      it: 'links media to entries and to components by the uid of each',
      text: `SELECT related_type, field FROM files_related_mph GROUP BY 1, 2 ORDER BY 1, 2`,
      rows: [
        ['api::about.about', 'portrait'],
        ['api::article.article', 'cover'],
        ['api::article.article', 'gallery'],
        ['api::author.author', 'avatar'],
        ['shared.hero', 'image'],
        ['shared.media', 'file'],
        ['shared.seo', 'shareImage'],
      ],
    },
    {
      it: 'stores the HMAC of a token, not the token',
      text: `SELECT length(t.access_key), p.action FROM strapi_api_tokens t JOIN strapi_api_token_permissions_token_lnk l ON l.api_token_id = t.id
             JOIN strapi_api_token_permissions p ON p.id = l.api_token_permission_id`,
      rows: [[128, 'api::tag.tag.find']],
    },
    {
      it: 'allows the public to read, and keeps what the role was allowed before',
      text: `SELECT count(*) FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id JOIN up_roles r ON r.id = l.role_id
             WHERE r.type = 'public' AND p.action IN ('api::article.article.find', 'plugin::users-permissions.auth.callback')`,
      rows: [[2]],
    },
  ];
  it.each(cases)('$it', async ({ text, rows }) => {
    expect(await database.read((connection) => connection.query(text, []))).toEqual(rows);
  });
});

describe('documentIdOf', () => {
  it('gives 24 lower-case letters and digits, a letter first, the same every time', () => {
    const id = documentIdOf('api::tag.tag', 'rye');
    expect(id).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(documentIdOf('api::tag.tag', 'rye')).toBe(id);
    expect(documentIdOf('api::tag.tag', 'coast')).not.toBe(id);
  });
});
