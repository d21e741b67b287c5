/** `Strapi-Encode-Source-Maps: true`, as Strapi 5.54.0 responds to it. In the recording, what is encoded stands decoded, as `⟦documentId=…⟧`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { credentialsOf, useRecordedProject } from './recordings.ts';

interface Recorded {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
const file = fileURLToPath(new URL('./recordings/source-maps/answers.json', import.meta.url));
const recorded: readonly Recorded[] = JSON.parse(readFileSync(file, 'utf8'));

const digits = '\u200b\u200c\u200d\ufeff';
/** The decoder of `@vercel/stega`: four characters make the code of one. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:\u200b|\u200c|\u200d|\ufeff){8,}/g, (encoded) => {
    expect(encoded.slice(0, 4)).toBe('\u200b'.repeat(4));
    const codes = [...encoded.slice(4).matchAll(/.{4}/gs)].map(([four]) =>
      parseInt([...four].map((one) => digits.indexOf(one)).join(''), 4),
    );
    return `⟦${JSON.parse(String.fromCharCode(...codes)).strapiSource}⟧`;
  });
const read = (text: string): unknown => JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? decoded(value) : value));

const asked = { 'strapi-encode-source-maps': 'true' };
const article = '/api/articles/x1tbfujwdjiljmep8mhjhsqo';

describe.each(anyEngine)('%s', (engine) => {
  const site = useRecordedProject(engine, { LECTERN_LIMITS_RESPONSE_BYTES: '300000' });
  const full = { authorization: `Bearer ${credentialsOf('full')}` };

  it.each(recorded)('$path $headers', async ({ path, headers, status, body }) => {
    const response = await site.server.get(path, { ...asked, ...headers });
    expect(response.status).toBe(status);
    const { error, ...rest } = read(response.text) as { error?: unknown };
    if (status === 200) expect(rest).toEqual(body);
    else expect(error).toMatchObject({ status, name: (body.error as { name: string }).name });
  });

  it('the header has no other value', async () => {
    const plain = await site.server.get(article);
    for (const value of ['false', 'TRUE', '1', '']) {
      expect((await site.server.get(article, { 'strapi-encode-source-maps': value })).text, value).toBe(plain.text);
    }
  });

  it('a response has an entity tag of its own, and is never given out as the plain one', async () => {
    const [plain, mapped, again] = [
      await site.server.get(article),
      await site.server.get(article, asked),
      await site.server.get(article, asked),
    ];
    expect(mapped.headers.etag).not.toBe(plain.headers.etag);
    expect(again.headers.etag).toBe(mapped.headers.etag);
    expect((await site.server.get(article)).text).toBe(plain.text);
    expect((await site.server.get(article, { ...asked, 'if-none-match': String(mapped.headers.etag) })).status).toBe(304);
    expect((await site.server.get(article, { ...asked, 'if-none-match': String(plain.headers.etag) })).status).toBe(200);
    expect(String(mapped.headers.vary).toLowerCase()).toContain('strapi-encode-source-maps');
  });

  it('writes respond with source maps, and store none', async () => {
    const send = (method: string, path: string, data: unknown) =>
      site.server.send({ method, path, headers: { ...full, ...asked }, body: { data } });
    const created = await send('POST', '/api/tags', { name: 'Mapped' });
    const { data } = read(created.text) as { data: { documentId: string; name: string } };
    const source = `documentId=${data.documentId}&type=string&path=name&model=api%3A%3Atag.tag&kind=collectionType`;
    expect({ status: created.status, name: data.name }).toEqual({ status: 201, name: `Mapped⟦${source}⟧` });
    const path = `/api/tags/${data.documentId}`;
    expect(JSON.parse((await site.server.get(path, full)).text)).toMatchObject({ data: { name: 'Mapped' } });
    expect(read((await send('PUT', path, { name: 'Again' })).text)).toMatchObject({ data: { name: `Again⟦${source}⟧` } });
    expect((await send('DELETE', path, undefined)).status).toBe(204);
  });

  it('what would grow too long is refused, but a write is done, and its response has none', async () => {
    const content = Array.from({ length: 400 }, (_, index) => ({ type: 'paragraph', children: [{ type: 'text', text: `P${index}` }] }));
    const [headers, body] = [{ ...full, ...asked }, { data: { title: 'Long', content } }];
    const { status, text } = await site.server.send({ method: 'POST', path: '/api/articles?status=draft', headers, body });
    expect({ status, body: JSON.parse(text) }).toMatchObject({ status: 201, body });
    const path = `/api/articles/${JSON.parse(text).data.documentId}`;
    const refused = await site.server.get(`${path}?status=draft`, headers);
    expect({ status: refused.status, body: JSON.parse(refused.text) }).toMatchObject({
      status: 400,
      body: { error: { name: 'ValidationError', message: expect.stringContaining('longer than 300000 bytes') } },
    });
    expect((await site.server.get(`${path}?status=draft`, full)).status).toBe(200);
    expect((await site.server.send({ method: 'DELETE', path, headers: full })).status).toBe(204);
  });
});
