/** A project whose callers upload files, and the state of its media library. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Row } from '../../src/dialects/dialect.ts';
import { fixture } from '../compatibility/scenarios.ts';
import type { profiles } from './accounts.ts';
import type { EngineName } from './engines.ts';
import type { HttpResponse } from './http.ts';
import { multipart, type Part } from './multipart.ts';
import { component, schemaFiles } from './schema-files.ts';
import { type Json, type Served, useProject } from './served-project.ts';

const media = (more: object = {}) => ({ type: 'media', multiple: false, ...more });
const files = schemaFiles(
  {
    note: {
      attributes: {
        title: { type: 'string' },
        cover: media({ allowedTypes: ['images'] }),
        papers: media({ multiple: true }),
        photo: component('photo'),
      },
    },
    article: { drafts: true, attributes: { title: { type: 'string' }, cover: media() } },
  },
  { photo: { file: media() } },
);

const right = (...names: readonly string[]) => names.map((name) => `plugin::upload.content-api.${name}`);
const images = { where: { mime: { $startsWith: 'image/' } } };

export const file = (filename: string, content: string | Uint8Array<ArrayBuffer>, type: string): Part => ({
  name: 'files',
  file: content,
  filename,
  type,
});
export const red = (filename = 'red.png') => file(filename, fixture('red.png'), 'image/png');
export const wide = (filename = 'wide.jpg') => file(filename, fixture('wide.jpg'), 'image/jpeg');
export const words = (filename = 'words.txt') => file(filename, 'some words\n', 'text/plain');
export const info = (value: unknown): Part => ({ name: 'fileInfo', value: JSON.stringify(value) });
export const link = (ref: string, refId: number | string, field: string): Part[] =>
  Object.entries({ ref, refId, field }).map(([name, value]) => ({ name, value: String(value) }));

export const noteUid = 'api::note.note';
export const articleUid = 'api::article.article';

export interface Uploads {
  readonly served: Served;
  upload(who: string, parts: readonly Part[], query?: string): Promise<HttpResponse>;
  /** The first file of a successful upload. */
  uploaded(...parts: readonly Part[]): Promise<Json>;
  destroy(who: string, id: unknown): Promise<HttpResponse>;
  /** The folder of the storage. */
  folder(): string;
  /** Names in the storage. What is on its way in would be in a folder that begins with a dot. */
  stored(): readonly string[];
  bytesOf(file: Json): Buffer;
  rowsOf(table: string): Promise<readonly Row[]>;
  /** The row id of the note with this title. */
  noteId(title: string): Promise<number>;
  linksTo(type: string, id: number): Promise<readonly Row[]>;
  /** Does work that must leave nothing behind, in the storage and in the database. */
  changesNothing(work: () => Promise<HttpResponse>): Promise<HttpResponse>;
}

/** Called in the body of a `describe`. */
export function useUploads(engine: EngineName, profile: (typeof profiles)[number]): Uploads {
  const served = useProject(engine, {
    files,
    types: [
      {
        type: noteUid,
        documents: ['mine', 'mine too', 'yours'].map((title) => ({
          key: title,
          status: 'published' as const,
          data: { title, photo: {} },
        })),
      },
      { type: articleUid, documents: [{ key: 'one', status: 'published', data: { title: 'one' } }] },
    ],
    public: [...right('upload', 'destroy', 'find'), `${noteUid}.update`],
    rules: {
      public: {
        'plugin::upload.content-api.upload': images,
        'plugin::upload.content-api.destroy': images,
        [`${noteUid}.update`]: { fields: ['title', 'cover'], where: { title: { $startsWith: 'mine' } } },
      },
    },
    tokens: {
      uploader: right('upload'),
      editor: [...right('upload', 'findOne'), `${noteUid}.update`, `${articleUid}.update`],
      reader: right('find', 'findOne'),
    },
    env: { LECTERN_PROFILE: profile },
  });

  const upload = async (who: string, parts: readonly Part[], query = '') =>
    served.send(who, { method: 'POST', path: `/api/upload${query}`, ...(await multipart(parts)) });
  const uploaded = async (...parts: readonly Part[]): Promise<Json> => {
    const response = await upload('full', parts);
    expect(response.text).toContain('"hash"');
    return (response.json() as Json[])[0] ?? {};
  };
  const destroy = (who: string, id: unknown) => served.send(who, { method: 'DELETE', path: `/api/upload/files/${id}` });
  const folder = () => join(served.project.dir, 'public/uploads');
  const stored = () => (existsSync(folder()) ? readdirSync(folder()).filter((name) => !name.startsWith('.')) : []).sort();
  const bytesOf = ({ url }: Json) => readFileSync(join(served.project.dir, 'public', String(url)));
  const rowsOf = (table: string) => served.query(`SELECT id FROM ${table}`);
  const noteId = async (title: string) => Number((await served.query(`SELECT id FROM notes WHERE title = '${title}'`))[0]?.[0]);
  const linksTo = (type: string, id: number) =>
    served.query(
      `SELECT f.name, m.field, m."order" FROM files_related_mph m JOIN files f ON f.id = m.file_id ` +
        `WHERE m.related_type = '${type}' AND m.related_id = ${id} ORDER BY m.id`,
    );
  /** The state that a refused upload must not change. */
  const state = async () => ({
    stored: stored(),
    rows: await served.query(
      ['files', 'files_related_mph', 'files_folder_lnk'].map((table) => `SELECT '${table}', id FROM ${table}`).join(' UNION ALL '),
    ),
  });
  const changesNothing = async (work: () => Promise<HttpResponse>): Promise<HttpResponse> => {
    const before = await state();
    const response = await work();
    expect(await state()).toEqual(before);
    const incoming = join(folder(), '.incoming');
    expect(existsSync(incoming) ? readdirSync(incoming) : []).toEqual([]);
    return response;
  };
  return { served, upload, uploaded, destroy, folder, stored, bytesOf, rowsOf, noteId, linksTo, changesNothing };
}
