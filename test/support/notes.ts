/** A project of notes, which have a required attribute, and of types with locales or with one document only. */
import { component, relation, schemaFiles, shared, translated } from './schema-files.ts';
import { seedDocuments, seedImage, seedLocales } from './seeds.ts';
import type { Json, Served } from './served-project.ts';

const files = schemaFiles(
  {
    note: {
      attributes: {
        title: { type: 'string', required: true },
        body: { type: 'text' },
        rank: { type: 'integer', default: 7 },
        tint: { type: 'enumeration', enum: ['red', 'blue'] },
        flow: { type: 'blocks' },
        extra: { type: 'json' },
        sealed: { type: 'string', writable: false },
        pin: { type: 'password' },
        hidden: { type: 'string', private: true },
        friend: relation('manyToOne', 'note'),
        photo: { type: 'media', multiple: false },
        stamp: component('stamp'),
        strips: component('stamp', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.stamp'] },
      },
    },
    story: {
      drafts: true,
      localized: true,
      attributes: { title: { type: 'string', required: true, ...translated }, pages: { type: 'integer', ...shared } },
    },
    motto: { single: true, attributes: { text: { type: 'string', required: true }, rank: { type: 'integer' } } },
    banner: { single: true, drafts: true, localized: true, attributes: { head: { type: 'string', ...translated } } },
  },
  { stamp: { label: { type: 'string' }, year: { type: 'integer' } } },
);
export const noteProject = {
  files,
  locales: seedLocales('en', 'de'),
  types: [
    {
      type: 'plugin::upload.file',
      documents: seedDocuments({ lamp: seedImage('lamp') }),
    },
    { type: 'api::note.note', documents: [{ key: 'kept', status: 'published' as const, data: { title: 'Kept' } }] },
  ],
};

/** Every field that a PUT of a note has to name. */
export const whole = { title: 'Whole', body: 'b', rank: 1, tint: 'red', flow: null, extra: { a: 1 } };

export const pathOf = (type: string, { documentId }: Json) => `/api/${type}s/${String(documentId)}`;

/** The number of documents. */
export async function countOf(api: Served, type: string): Promise<number> {
  const body = (await api.ask('full', 'GET', `/api/${type}s?pagination[pageSize]=1`)).json() as {
    meta: { pagination: { total: number } };
  };
  return body.meta.pagination.total;
}
