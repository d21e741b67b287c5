/** What a previewed page may say about its texts, and the fields that this leads to. */
import { describe, expect, it } from 'vitest';
import { attribute } from '../described-attribute.ts';
import { fieldAt, readSource } from './source.ts';

const id = 'qbw49k4x3qnhgw6ucvyfdo7o';
const said = (more: Readonly<Record<string, string>>) =>
  new URLSearchParams({ documentId: id, model: 'api::article.article', path: 'title', ...more }).toString();

describe('what a page says about a text', () => {
  it.each([
    ['a source', said({ type: 'string', kind: 'collectionType', locale: 'en' }), { locale: 'en', path: ['title'] }],
    ['one of a type without locales', said({}), { locale: undefined }],
    ['a path', said({ path: 'links.0.url' }), { path: ['links', '0', 'url'] }],
  ])('is read: %s', (_, text, source) => {
    expect(readSource(text)).toEqual({ documentId: id, model: 'api::article.article', locale: undefined, path: ['title'], ...source });
  });

  it.each([
    ['no text', { path: 'title' }],
    ['nothing', undefined],
    ['no path', said({ path: '' })],
    ['no model', said({ model: '' })],
    ['no document', said({ documentId: '' })],
    ['a path for a document', said({ documentId: '../users' })],
    ['the folder above for a document', said({ documentId: '..' })],
    ['a URL for a document', said({ documentId: 'javascript:alert(1)' })],
    ['a very long text', said({ path: 'x.'.repeat(2000) })],
  ])('is refused: %s', (_, text) => {
    expect(readSource(text)).toBeUndefined();
  });
});

describe('the field of a path', () => {
  const link = { uid: 'shared.link', label: 'Link', groups: [], attributes: [attribute('url', 'string'), attribute('label', 'string')] };
  const step = {
    ...link,
    uid: 'shared.step',
    attributes: [attribute('links', 'component', { component: 'shared.link', isMany: true }), attribute('cover', 'media')],
  };
  const components: Readonly<Record<string, typeof link>> = { 'shared.link': link, 'shared.step': step };
  const attributes = [
    attribute('title', 'string'),
    attribute('cover', 'media'),
    attribute('author', 'relation'),
    attribute('seo', 'component', { component: 'shared.link' }),
    attribute('links', 'component', { component: 'shared.link', isMany: true }),
    attribute('zone', 'dynamiczone', { isMany: true }),
  ];
  const stored = {
    title: 'Fog',
    seo: { id: 7, url: '/' },
    links: [{ id: 1 }, { id: 2 }, { id: 3 }],
    zone: [
      { __component: 'shared.link', id: 1 },
      { __component: 'shared.step', id: 1, links: [{ id: 4 }, { id: 5 }] },
      { __component: 'shared.gone', id: 1 },
    ],
  };
  // The second link was moved to the front, and the third one removed.
  const typed = { ...stored, links: [{ id: 2 }, { id: 1 }, { __key: 'n1' }] };

  it.each([
    ['title', ['title']],
    ['cover.alternativeText', ['cover']],
    ['author.name', ['author']],
    ['seo.url', ['seo', 'url']],
    ['links.0.url', ['links', 1, 'url']],
    ['links.1.url', ['links', 0, 'url']],
    ['links.2.url', ['links']],
    ['links.9.url', ['links']],
    ['links.length.url', ['links']],
    ['links.0.gone', ['links', 1]],
    ['links', ['links']],
    ['zone.1.links.1.label', ['zone', 1, 'links', 1, 'label']],
    ['zone.1.cover.url', ['zone', 1, 'cover']],
    ['zone.2.text', ['zone', 2]],
    ['gone', undefined],
    ['__proto__.x', undefined],
    ['constructor', undefined],
  ])('%s', (path, field) => {
    expect(fieldAt(path.split('.'), { attributes, stored, typed }, (uid) => components[uid])).toEqual(field);
  });

  it('of a component that was removed is its attribute', () => {
    const { seo: _, ...without } = typed;
    expect(fieldAt(['seo', 'url'], { attributes, stored, typed: without }, (uid) => components[uid])).toEqual(['seo']);
  });
});
