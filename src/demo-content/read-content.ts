/** Reads a folder of content: `locales.json`, `access.json`, and one file for each content type. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { accessSchema, documentsSchema, localesSchema, type SeedContent } from './content.ts';

/** Throws an error with the file's name if a file does not match its schema. */
export async function readContent(folder: string): Promise<SeedContent> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const types = names.filter((name) => name !== 'locales.json' && name !== 'access.json');
  return {
    locales: names.includes('locales.json')
      ? await read(join(folder, 'locales.json'), localesSchema)
      : [{ code: 'en', name: 'English (en)' }],
    access: names.includes('access.json') ? await read(join(folder, 'access.json'), accessSchema) : { public: [], authenticated: [] },
    types: await Promise.all(types.map((name) => read(join(folder, name), documentsSchema))),
  };
}

async function read<T extends z.ZodType>(file: string, schema: T): Promise<z.output<T>> {
  const result = schema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (result.success) return result.data;
  throw new Error(`${file}: ${result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`);
}
