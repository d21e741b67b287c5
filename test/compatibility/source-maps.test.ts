/** `Strapi-Encode-Source-Maps: true`, as Strapi 5.54.0 responds to it. In the recording, what is encoded stands decoded, as `⟦documentId=…⟧`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { credentialsOf, orderOfRecordings, recordedProject, secrets } from './recordings.ts';

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
  let project: Project;
  let server: RunningServer;
  const full = { authorization: `Bearer ${credentialsOf('full')}` };
  beforeAll(async () => {
    project = await recordedProject(engine);
    const env = { ...project.env, ...secrets, ...orderOfRecordings, LECTERN_PROFILE: 'strapi', LECTERN_LIMITS_RESPONSE_BYTES: '300000' };
    server = await startServer(project.dir, env);
  });
  afterAll(async () => {
    await server?.stop();
    await project.remove();
  });

  it.each(recorded)('$path $headers', async ({ path, headers, status, body }) => {
    const response = await server.get(path, { ...asked, ...headers });
    expect(response.status).toBe(status);
    const { error, ...rest } = read(response.text) as { error?: unknown };
    if (status === 200) expect(rest).toEqual(body);
    else expect(error).toMatchObject({ status, name: (body.error as { name: string }).name });
  });

  it('the header has no other value', async () => {
    const plain = await server.get(article);
    for (const value of ['false', 'TRUE', '1', '']) {
      expect((await server.get(article, { 'strapi-encode-source-maps': value })).text, value).toBe(plain.text);
    }
  });

  it('a response has an entity tag of its own, and is never given out as the plain one', async () => {
    const [plain, mapped, again] = [await server.get(article), await server.get(article, asked), await server.get(article, asked)];
    expect(mapped.headers.etag).not.toBe(plain.headers.etag);
    expect(again.headers.etag).toBe(mapped.headers.etag);
    expect((await server.get(article)).text).toBe(plain.text);
    expect((await server.get(article, { ...asked, 'if-none-match': String(mapped.headers.etag) })).status).toBe(304);
    expect((await server.get(article, { ...asked, 'if-none-match': String(plain.headers.etag) })).status).toBe(200);
    expect(String(mapped.headers.vary).toLowerCase()).toContain('strapi-encode-source-maps');
  });

  it('writes respond with source maps, and store none', async () => {
    const send = (method: string, path: string, data: unknown) =>
      server.send({ method, path, headers: { ...full, ...asked }, body: { data } });
    const created = await send('POST', '/api/tags', { name: 'Mapped' });
    const { data } = read(created.text) as { data: { documentId: string; name: string } };
    const source = `documentId=${data.documentId}&type=string&path=name&model=api%3A%3Atag.tag&kind=collectionType`;
    expect({ status: created.status, name: data.name }).toEqual({ status: 201, name: `Mapped⟦${source}⟧` });
    const path = `/api/tags/${data.documentId}`;
    expect(JSON.parse((await server.get(path, full)).text)).toMatchObject({ data: { name: 'Mapped' } });
    expect(read((await send('PUT', path, { name: 'Again' })).text)).toMatchObject({ data: { name: `Again⟦${source}⟧` } });
    expect((await send('DELETE', path, undefined)).status).toBe(204);
  });

  it('a write whose response would grow too long is done, and its response has none', async () => {
    const content = Array.from({ length: 400 }, (_, index) => ({ type: 'paragraph', children: [{ type: 'text', text: `P${index}` }] }));
    const send = (headers: Readonly<Record<string, string>>, data: unknown) =>
      server.send({ method: 'POST', path: '/api/articles?status=draft', headers: { ...full, ...headers }, body: { data } });
    const { status, text } = await send(asked, { title: 'Long', content });
    expect({ status, body: JSON.parse(text) }).toMatchObject({ status: 201, body: { data: { title: 'Long', content } } });
    const { documentId } = JSON.parse(text).data;
    const path = `/api/articles/${documentId}`;
    expect((await server.get(`${path}?status=draft`, { ...full, ...asked })).status).toBe(400);
    expect((await server.send({ method: 'DELETE', path, headers: full })).status).toBe(204);
  });

  it('what would grow too long is refused', async () => {
    const path = '/api/articles?pagination[pageSize]=100&populate=*';
    expect((await server.get(path)).status).toBe(200);
    const { status, text } = await server.get(path, asked);
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 400,
      body: { error: { name: 'ValidationError', message: expect.stringContaining('longer than 300000 bytes') } },
    });
  });
});
