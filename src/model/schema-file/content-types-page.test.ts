/** Every JSON example of docs/content-types.md is loaded: files as one project, attributes in one
 *  of its types. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { loadModel } from '../load/load-model.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const page = readFileSync(fileURLToPath(new URL('../../../docs/content-types.md', import.meta.url)), 'utf8');
const examples = [...page.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```json\n([\s\S]*?)^```$/gm)].map(([, file, text = '']) => ({ file, text }));
const files = examples.flatMap(({ file, text }) => (file?.startsWith('src/') ? [{ file, text }] : []));
const attributes = examples.filter(({ file }) => file === undefined);

function load(more: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
  folders.push(dir);
  for (const [file, text] of Object.entries({ ...Object.fromEntries(files.map(({ file, text }) => [file, text])), ...more })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return loadModel(dir, { customFields: {}, asStrapi: false });
}

describe('docs/content-types.md', () => {
  it('has each file once', () => {
    expect(files.length).toBeGreaterThan(15);
    expect(new Set(files.map(({ file }) => file)).size).toBe(files.length);
  });

  it('describes a project without mistakes', () => {
    const loaded = load({});
    expect(loaded.ok ? [] : loaded.errors).toEqual([]);
    expect(loaded).toMatchObject({ model: { warnings: [] } });
  });

  it.each(attributes.map(({ text }) => [text.replace(/\s+/g, ' ').slice(0, 60), text] as const))('%s', (_, text) => {
    const schema = `{ "collectionName": "examples", "info": { "singularName": "example", "pluralName": "examples", "displayName": "Name" }, "attributes": ${text} }`;
    const loaded = load({ 'src/api/example/content-types/example/schema.json': schema });
    expect(loaded.ok ? [] : loaded.errors).toEqual([]);
    expect(loaded).toMatchObject({ model: { warnings: [] } });
  });

  it('has an example of every type of attribute', () => {
    const types = new Set([...page.matchAll(/"type": "(\w+)"/g)].map(([, type]) => type));
    const listed = /<!-- table: types of attributes -->\n[\s\S]*?<!-- \/table -->/.exec(page)?.[0] ?? '';
    const named = [...listed.matchAll(/^\| `(\w+)` \|/gm)].map(([, type = '']) => type);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((type) => !types.has(type))).toEqual([]);
  });
});
