/** Files by the client. */
import { createClient } from '@lectern/client';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';

const files = schemaFiles({
  page: {
    attributes: { title: { type: 'string' }, cover: { type: 'media', multiple: false }, gallery: { type: 'media', multiple: true } },
  },
});

describe.each(anyEngine)('%s: files', (engine) => {
  const served = useProject(engine, { files });
  const open = () =>
    createClient({ baseURL: `${served.server.base}/api`, token: served.authorization('full').Authorization?.slice('Bearer '.length) });
  let image: Blob;
  beforeAll(async () => {
    const png = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#357' } })
      .png()
      .toBuffer();
    image = new Blob([new Uint8Array(png)], { type: 'image/png' });
  });
  const text = (content: string, name: string) => new File([content], name, { type: 'text/plain' });

  it('are uploaded one by one, with information', async () => {
    const fileInfo = { name: 'dusk.png', alternativeText: 'A lighthouse', caption: 'Gannet Ness', focalPoint: { x: 20, y: 30 } };
    const { data } = await open().upload(image, { fileInfo }).orThrow();
    expect(data).toMatchObject([{ ...fileInfo, width: 600, height: 400, mime: 'image/png', formats: { thumbnail: { width: 234 } } }]);
    expect((await open().fetch(`${served.server.base}${data[0]?.url}`)).headers.get('content-type')).toBe('image/png');
  });

  it('are uploaded together, with a list of information', async () => {
    const fileInfo = [{ caption: 'one' }, { caption: 'two' }];
    const { data } = await open()
      .files.upload([text('a', 'a.txt'), text('b', 'b.txt')], { fileInfo })
      .orThrow();
    expect(data.map(({ name, caption }) => [name, caption])).toEqual([
      ['a.txt', 'one'],
      ['b.txt', 'two'],
    ]);
  });

  it('are attached to a document, in the same request or by writing it', async () => {
    const pages = open().collection('pages');
    const { data: page } = await pages.create({ title: 'a' }).orThrow();
    await open()
      .upload(image, { ref: 'api::page.page', refId: page.id, field: 'cover', fileInfo: { name: 'cover.png' } })
      .orThrow();
    await open()
      .upload(image, { ref: 'api::page.page', refId: page.documentId, field: 'cover', status: 'published', fileInfo: { name: 'new.png' } })
      .orThrow();
    const { data } = await open().upload([image, image]).orThrow();
    await pages.update(page.documentId, { gallery: data.map(({ id }) => id) }).orThrow();
    const { data: read } = await pages.findOne(page.documentId, { populate: { cover: { fields: ['name'] }, gallery: true } }).orThrow();
    expect(read).toMatchObject({ cover: { name: 'new.png' }, gallery: [{ name: 'file' }, { name: 'file' }] });
  });

  it('are found, changed, replaced and deleted', async () => {
    const { data } = await open().upload(text('first', 'note.txt')).orThrow();
    const id = data[0]?.id ?? 0;
    const found = await open().files.find({ filters: { name: { $eq: 'note.txt' } }, sort: 'id:desc', pagination: { pageSize: 1 } });
    expect(found.data).toMatchObject([{ id }]);
    expect((await open().files.update(id, { caption: 'changed' })).data).toMatchObject({ id, caption: 'changed' });
    const { data: replaced } = await open().files.replace(id, text('second', 'note.txt')).orThrow();
    expect(replaced).toMatchObject({ id, url: data[0]?.url });
    expect(await (await open().fetch(served.server.base + replaced.url)).text()).toBe('second');
    expect((await open().files.findOne(id)).data).toMatchObject({ id, name: 'note.txt' });
    expect((await open().files.findOne(replaced.documentId)).data).toMatchObject({ id });
    expect((await open().files.delete(id)).data).toMatchObject({ id });
    expect(await open().files.findOne(id)).toMatchObject({ data: null, error: { kind: 'not-found', code: 'file.not-found' } });
  });

  it.each([
    ['no file', () => open().upload([]), { kind: 'invalid', code: 'upload.no-files' }],
    ['a name of Windows', () => open().upload(text('a', 'a:b.txt')), { kind: 'invalid', code: 'upload.file-name' }],
    ['a broken image', () => open().upload(new File(['no'], 'a.png', { type: 'image/png' })), { kind: 'invalid', code: 'upload.content' }],
    ['no right', () => createClient({ baseURL: `${served.server.base}/api` }).upload(text('a', 'a.txt')), { kind: 'forbidden' }],
  ])('with %s are refused', async (_, send, error) => {
    expect(await send()).toMatchObject({ data: null, error });
  });
});
