import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadModel } from '../../model/load/load-model.ts';
import { runCommand } from '../cli.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  write('lectern.config.json', '{}');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

async function make(...args: readonly string[]) {
  const texts: string[] = [];
  const capture = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(capture);
  vi.spyOn(process.stderr, 'write').mockImplementation(capture);
  const exitCode = await runCommand(['make', ...args, ...(args.includes('--dir') ? [] : ['--dir', dir])]);
  return { exitCode, text: texts.join('') };
}

const typeFile = (name: string) => `src/api/${name}/content-types/${name}/schema.json`;
const read = (file: string) => readFileSync(join(dir, file), 'utf8');
const attributesOf = (file: string): Record<string, unknown> => JSON.parse(read(file)).attributes;
function write(file: string, text: string): void {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), text);
}

/** The model of the project, as the server loads it. */
function model() {
  const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors, null, 2));
  expect(loaded.model.warnings).toEqual([]);
  return loaded.model;
}

/** A project with the types category and tag and the component shared.seo. */
async function makeCategoryAndTag(): Promise<void> {
  for (const args of [
    ['type', 'category', 'name:string'],
    ['type', 'tag', 'name:string'],
    ['component', 'shared.seo', 'title:string(60)'],
  ])
    expect(await make(...args)).toMatchObject({ exitCode: 0 });
}

describe('lectern make type', () => {
  it('writes a file for every kind of attribute, which the loader accepts', async () => {
    await makeCategoryAndTag();
    const made = await make(
      ...['type', 'article', 'title:string(120)!', 'slug:uid(title)', 'category:manyToOne(category)', 'tags:manyToMany:tag'],
      ...['body:blocks', 'cover:media(images)', 'gallery:media:images,videos,multiple', 'seo:component(shared.seo)'],
      ...['parts:component(shared.seo,repeatable)', 'zone:dynamiczone(shared.seo)', 'price:decimal(10,2)', 'kind:enumeration(a,b)!'],
      ...['day:date', 'clock:time', 'moment:datetime', 'data:json', 'views:biginteger', 'rate:float', 'open:boolean', 'secret:password'],
      ...[
        'owner:oneWay(user)',
        'related:manyWay(article)',
        'color:customField(plugin::color-picker.color)',
        'parent:manyToOne(article,children)',
      ],
    );
    expect(made.text).toContain(
      `Made ${typeFile('article')}\nAdded articles to ${typeFile('category')}\nAdded articles to ${typeFile('tag')}\n`,
    );
    expect(made.exitCode).toBe(0);
    expect(attributesOf(typeFile('article'))).toMatchObject({
      title: { type: 'string', maxLength: 120, required: true },
      slug: { type: 'uid', targetField: 'title' },
      gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'videos'] },
      price: { type: 'decimal' },
      kind: { type: 'enumeration', enum: ['a', 'b'], required: true },
      owner: { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user' },
    });
    const { contentTypes } = model();
    const relation = (name: string, attribute: string) => contentTypes.get(`api::${name}.${name}`)?.attributes.get(attribute);
    expect(relation('article', 'category')).toMatchObject({ relation: 'manyToOne', inversedBy: 'articles', twoWay: true });
    expect(relation('category', 'articles')).toMatchObject({ relation: 'oneToMany', mappedBy: 'category', twoWay: true });
    expect(relation('tag', 'articles')).toMatchObject({ relation: 'manyToMany', mappedBy: 'tags' });
    expect(relation('article', 'children')).toMatchObject({ relation: 'oneToMany', mappedBy: 'parent' });
    expect(relation('article', 'related')).toMatchObject({ relation: 'oneToMany', twoWay: false });
  });

  it('names the types that are there, without the one that it makes', async () => {
    expect((await make('type', 'post', 'author:manyToOne(author)')).text).toContain('the project has none yet');
    await makeCategoryAndTag();
    expect((await make('type', 'post', 'author:manyToOne(author)')).text).toContain('there are category, tag.');
    expect(await make('type', 'post', 'next:oneToOne(post,previous)')).toMatchObject({ exitCode: 0 });
  });

  it('names the JSON Schema for editors, where the package is', async () => {
    await makeCategoryAndTag();
    expect(JSON.parse(read(typeFile('tag'))).$schema).toBe('../../../../../node_modules/lectern/schema/content-type.json');
    expect(JSON.parse(read('src/components/shared/seo.json')).$schema).toBe('../../../node_modules/lectern/schema/component.json');
    const below = join(dir, 'site');
    mkdirSync(join(dir, 'node_modules/lectern/schema'), { recursive: true });
    write('site/lectern.config.json', '{}');
    expect(await make('type', 'note', '--dir', below)).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(read(`site/${typeFile('note')}`)).$schema).toBe('../../../../../../node_modules/lectern/schema/content-type.json');
  });

  it.each([
    ['oneToOne', { relation: 'oneToOne', inversedBy: 'photoAlbum' }, 'photoAlbum', { relation: 'oneToOne', mappedBy: 'tag' }],
    ['oneToMany', { relation: 'oneToMany', mappedBy: 'photoAlbum' }, 'photoAlbum', { relation: 'manyToOne', inversedBy: 'tag' }],
    ['manyToOne', { relation: 'manyToOne', inversedBy: 'photoAlbums' }, 'photoAlbums', { relation: 'oneToMany', mappedBy: 'tag' }],
    ['manyToMany', { relation: 'manyToMany', inversedBy: 'photoAlbums' }, 'photoAlbums', { relation: 'manyToMany', mappedBy: 'tag' }],
  ])('writes both sides of %s', async (kind, own, name, other) => {
    await makeCategoryAndTag();
    expect(await make('type', 'photo-album', `tag:${kind}(tag)`)).toMatchObject({ exitCode: 0 });
    const { contentTypes } = model();
    expect(contentTypes.get('api::photo-album.photo-album')?.attributes.get('tag')).toMatchObject(own);
    expect(contentTypes.get('api::tag.tag')?.attributes.get(name)).toMatchObject(other);
  });

  it.each([
    [['home-page', '--single'], { kind: 'singleType', collectionName: 'home_pages', draftAndPublish: false, localized: false }],
    [['news', '--draft-and-publish'], { kind: 'collectionType', pluralName: 'news-list', draftAndPublish: true }],
    [['person', 'name:string', '--localized'], { pluralName: 'people', localized: true }],
    [['person', '--plural', 'persons'], { pluralName: 'persons' }],
  ])('%j', async (args, expected) => {
    expect(await make('type', ...args)).toMatchObject({ exitCode: 0 });
    const name = args[0] ?? '';
    const type = model().contentTypes.get(`api::${name}.${name}`);
    const { collectionName } = JSON.parse(read(typeFile(name)));
    expect({ ...type, collectionName }).toMatchObject(expected);
    if (args.includes('name:string')) expect(type?.attributes.get('name')).toMatchObject({ localized: true });
  });

  it.each([
    [['note', 'a:strng'], 'a:strng: there is no type "strng". Did you mean string?'],
    [['note', 'a:bool'], 'Did you mean boolean?'],
    [['note', 'a:slug'], 'Did you mean uid?'],
    [['note', 'a:morphToMany'], 'write it into the schema file'],
    [['note', 'a:date(1)'], 'date takes no value: a:date'],
    [['note', 'a:string(many)'], 'the largest number of characters: a:string(120)'],
    [['note', 'title:string', 's:uid(titel)'], 'there is title. Did you mean title?'],
    [['note', 'a:enumeration'], 'enumeration takes its values'],
    [['note', 'a:enumeration(x,y,x)'], 'the value "x" is there twice'],
    [['note', 'a:decimal(12,4)'], 'decimal always has 10 digits'],
    [['note', 'a:media(image)'], 'Did you mean images?'],
    [['note', 'a:component(shared.seo,many)'], '"repeatable" for a list'],
    [['note', 'a:dynamiczone'], 'the components that it may hold'],
    [['note', 'a:manyToOne'], 'manyToOne takes a content type'],
    [['note', 'a:oneWay(tag,notes)'], 'oneWay has no other side'],
    [['note', 'a:string', 'a:text'], 'a:text: another attribute has the same name'],
    [['note', 'a:manyToOne(tag,my-notes)'], '"my-notes" cannot be the name of an attribute'],
    // One mistake that counts in any project is enough.
    [['note', 'a:strng', 'b:component(no.such)'], 'there is no type "strng"'],
  ])('refuses %j in any project', async (args, says) => {
    const before = readdirSync(dir);
    expect(await make('type', ...args)).toEqual({ exitCode: 2, text: expect.stringContaining(says) });
    expect(readdirSync(dir)).toEqual(before);
  });

  it.each([
    [['category', 'x:string'], `${typeFile('category')} already exists and is not overwritten`],
    [['note', 'a:component(shared.sea)'], 'Did you mean shared.seo?'],
    [['note', 'a:manyToOne(categry)'], 'Did you mean category?'],
    [['note', 'parent:manyToOne(not)'], 'Did you mean note?'],
    [['note', 'a:manyToOne(user)'], 'cannot get another side: a:oneWay(user)'],
    [
      ['note', 'a:manyToOne(tag)', 'b:manyToOne(tag)'],
      'already has an attribute "notes", so the other side needs another name: b:manyToOne(tag,notesAsB)',
    ],
    // The loader refuses these.
    [['note', 'documentId:string'], 'documentId'],
    [['note', '--plural', 'tags'], 'belongs to api::tag.tag already'],
  ])('refuses %j in this project and changes nothing', async (args, says) => {
    await makeCategoryAndTag();
    const before = readdirSync(dir, { recursive: true, withFileTypes: false }).sort();
    const category = read(typeFile('category'));
    const refused = await make('type', ...args);
    expect(refused.exitCode).toBe(1);
    expect(refused.text).toContain(says);
    expect(readdirSync(dir, { recursive: true }).sort()).toEqual(before);
    expect(read(typeFile('category'))).toBe(category);
  });

  it('takes back what it wrote into the other file when the loader refuses the new one', async () => {
    await makeCategoryAndTag();
    const before = read(typeFile('tag'));
    const refused = await make('type', 'note', 'tags:manyToMany(tag)', 'id:string');
    expect(refused).toMatchObject({ exitCode: 1, text: expect.stringContaining('"id"') });
    expect(read(typeFile('tag'))).toBe(before);
    expect(existsSync(join(dir, 'src/api/note'))).toBe(false);
  });

  it('names the mistakes of the present files first', async () => {
    write(typeFile('tag'), '{ "info": ');
    expect(await make('type', 'note')).toMatchObject({ exitCode: 1, text: expect.stringContaining(typeFile('tag')) });
    expect(existsSync(join(dir, 'src/api/note'))).toBe(false);
  });
});

describe('lectern make component', () => {
  it('writes a component, whose relations have one side', async () => {
    await makeCategoryAndTag();
    expect(await make('component', 'page.call-to-action', 'label:string!', 'tag:oneWay(tag)')).toMatchObject({ exitCode: 0 });
    const component = model().components.get('page.call-to-action');
    expect(component).toMatchObject({ displayName: 'Call to action', table: 'components_page_call_to_actions' });
    expect(component?.attributes.get('tag')).toMatchObject({ target: 'api::tag.tag', twoWay: false });
  });

  it.each([
    [['shared.seo', 'a:string'], 'src/components/shared/seo.json already exists'],
    [['shared.note', 'tag:manyToOne(tag)'], 'a relation of a component has no other side: tag:oneWay(tag)', 2],
  ])('refuses %j', async (args, says, exitCode = 1) => {
    await makeCategoryAndTag();
    expect(await make('component', ...args)).toMatchObject({ exitCode, text: expect.stringContaining(says) });
  });
});
