/** Plays the uploads of scenarios that need a file and are about something else, straight in the tables, until there are endpoints for them. */
import { randomBytes } from 'node:crypto';
import { newDocumentId } from '../../src/storage/document-id.ts';
import type { EngineName } from '../support/engines.ts';
import { isObject, type Json } from './compare.ts';
import type { ContentDatabase } from './content-database.ts';
import type { Step } from './scenarios.ts';

export const isUpload = ({ request }: Step) => request.path.startsWith('/api/upload');

const columns: Readonly<Record<string, string>> = {
  documentId: 'document_id',
  alternativeText: 'alternative_text',
  focalPoint: 'focal_point',
  previewUrl: 'preview_url',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  publishedAt: 'published_at',
};

/** Does what the step asks for; answers the body. */
export async function playUpload(step: Step, path: string, content: ContentDatabase, engine: EngineName): Promise<unknown> {
  const { response, request } = step;
  if (request.method === 'DELETE') {
    const id = Number(path.split('/').at(-1));
    await content.remove('files_related_mph', 'file_id', id);
    await content.remove('files', 'id', id);
    return null;
  }
  const [answered, ...others] = Array.isArray(response.body) ? response.body : [];
  if (request.method !== 'POST' || !isObject(answered) || others.length > 0) throw new Error(`${step.name} is no upload of one file`);
  const now = new Date();
  const body: Json = {
    ...Object(resolved(answered, randomBytes(5).toString('hex'))),
    documentId: newDocumentId(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    publishedAt: now.toISOString(),
  };
  const { id: _, isUrlSigned, ...attributes } = body;
  const row = Object.entries(attributes).map(([name, value]) => {
    const stored = name.endsWith('At') && engine === 'sqlite' ? now.getTime() : isObject(value) ? JSON.stringify(value) : value;
    return [columns[name] ?? name, stored];
  });
  const id = await content.insert('files', { ...Object.fromEntries(row), folder_path: '/1' });
  return [{ ...body, id }];
}

/** The recorded answer with values in the place of what a run makes up. */
function resolved(value: unknown, hash: string): unknown {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, resolved(element, hash)]));
  if (value === '<<number>>') return 1;
  return typeof value === 'string' ? value.replaceAll('<<hash10>>', hash) : value;
}
