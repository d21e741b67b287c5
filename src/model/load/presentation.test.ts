/** The key `lectern` of schema files: what the model has of it, and what is reported. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadModel } from './load-model.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function load(attributes: object, more: object) {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
  folders.push(dir);
  const file = join(dir, 'src/api/note/content-types/note/schema.json');
  mkdirSync(dirname(file), { recursive: true });
  const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' };
  writeFileSync(file, JSON.stringify({ collectionName: 'notes', info, attributes, ...more }, undefined, 2));
  const result = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!result.ok) throw new Error(JSON.stringify(result.errors, undefined, 2));
  const note = result.model.contentTypes.get('api::note.note');
  const found = result.model.warnings.map(({ path, problem, remedy }) => [path, problem, remedy]);
  return { note, attribute: (name: string) => note?.attributes.get(name)?.lectern, found };
}

const groups = [{ name: 'seo', label: 'Search' }, { name: 'other' }];

describe('lectern in a schema file', () => {
  it('is what the model says of types and attributes', () => {
    const lectern = { label: 'Notes', title: 'headline', groups };
    const { note, attribute, found } = load(
      {
        headline: { type: 'string', lectern: { label: 'Head', help: 'Short', placeholder: 'Fog', group: 'seo', width: 'half' } },
        plain: { type: 'text', lectern: {} },
        price: { type: 'decimal', lectern: { currency: 'EUR' } },
        cents: { type: 'biginteger', pluginOptions: { lectern: { currency: 'JPY' } } },
      },
      { lectern },
    );
    expect(found).toEqual([]);
    expect(note?.lectern).toEqual({ ...lectern, groups: [groups[0], { name: 'other', label: 'other' }] });
    expect(attribute('headline')).toEqual({ label: 'Head', help: 'Short', placeholder: 'Fog', group: 'seo', width: 'half' });
    expect([attribute('price'), attribute('cents')]).toEqual([{ currency: 'EUR' }, { currency: 'JPY' }]);
    expect([attribute('plain'), attribute('updatedAt')]).toEqual([undefined, undefined]);
    expect(Object.isFrozen(note?.lectern?.groups?.[0])).toBe(true);
  });

  it('may be in pluginOptions, which give way', () => {
    const { note, attribute, found } = load(
      { headline: { type: 'string', lectern: { label: 'Head' }, pluginOptions: { lectern: { label: 'Line', width: 'full' } } } },
      { pluginOptions: { lectern: { label: 'Notes' } } },
    );
    expect(found).toEqual([]);
    expect(note?.lectern).toEqual({ label: 'Notes' });
    expect(attribute('headline')).toEqual({ label: 'Head', width: 'full' });
  });

  it('is checked: keys, values, names of attributes and groups', () => {
    const { note, attribute, found } = load(
      {
        headline: { type: 'string', lectern: { lable: 'x', width: 'haf', group: 'sea' } },
        price: { type: 'decimal', lectern: { currency: 'EURO' } },
        text: { type: 'string', lectern: { currency: 'EUR' } },
        link: { type: 'media', pluginOptions: { lectern: { currency: 'EUR' } } },
        help: { type: 'string', help: 'x', pluginOptions: { lectern: { group: 'none' } } },
      },
      { lectern: { title: 'headlin', groups: [{ nam: 'x' }, 'seo', ...groups] }, title: 'headline' },
    );
    expect(found).toEqual(
      expect.arrayContaining([
        ['attributes.headline.lectern.lable', 'unknown key "lable"', 'did you mean "label"?'],
        ['attributes.headline.lectern.width', '"haf" has no effect: it must be one of full, half, third', 'did you mean "half"?'],
        ['attributes.headline.lectern.group', '"sea" has no effect: lectern.groups of the file has no such group', 'did you mean "seo"?'],
        [
          'attributes.price.lectern.currency',
          '"EURO" has no effect: it must be a currency code of ISO 4217 such as EUR',
          'correct the value, or remove the key',
        ],
        ['attributes.text.lectern.currency', '"EUR" has no effect: the attribute is not a number', 'remove it, or make the type a decimal'],
        [
          'attributes.link.pluginOptions.lectern.currency',
          '"EUR" has no effect: the attribute is not a number',
          'remove it, or make the type a decimal',
        ],
        ['attributes.help.help', 'unknown key "help"', 'it belongs into lectern'],
        [
          'attributes.help.pluginOptions.lectern.group',
          '"none" has no effect: lectern.groups of the file has no such group',
          'add { "name": "none", "label": "…" } to lectern.groups',
        ],
        ['lectern.title', '"headlin" has no effect: it is not an attribute', 'did you mean "headline"?'],
        ['lectern.groups[0].nam', 'unknown key "nam"', 'did you mean "name"?'],
        ['lectern.groups[1]', '"seo" has no effect: it must be an object', 'correct the value, or remove it'],
        ['title', 'unknown key "title"', 'it belongs into lectern'],
      ]),
    );
    expect(found).toHaveLength(12);
    expect(note?.lectern).toEqual({ groups: [groups[0], { name: 'other', label: 'other' }] });
    expect([attribute('headline'), attribute('price'), attribute('text')]).toEqual([{}, undefined, {}]);
  });
});
