/** The model that tests of single stages share: one type with an attribute of each kind, and what that leads to. No database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { Profile } from '../../../src/config/profile.ts';
import type { ContentModel } from '../../../src/model/content-model.ts';
import { loadModel } from '../../../src/model/load/load-model.ts';
import { component, relation, schemaFiles, translated } from '../schema-files.ts';
import { writeFiles } from '../write-files.ts';

const files = schemaFiles(
  {
    article: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, maxLength: 40, ...translated },
        slug: { type: 'uid', targetField: 'title' },
        body: { type: 'richtext', ...translated },
        rating: { type: 'integer', min: 1, max: 5 },
        views: { type: 'biginteger' },
        price: { type: 'decimal' },
        featured: { type: 'boolean' },
        day: { type: 'date' },
        opens: { type: 'time' },
        startsAt: { type: 'datetime' },
        mood: { type: 'enumeration', enum: ['calm', 'loud'] },
        extra: { type: 'json' },
        note: { type: 'string', private: true },
        section: relation('manyToOne', 'section', { inversedBy: 'articles' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
        cover: { type: 'media', multiple: false },
        comments: relation('morphMany', 'comment', { morphBy: 'about' }),
        seo: component('seo'),
        links: component('link', { repeatable: true }),
        blocks: { type: 'dynamiczone', components: ['part.hero', 'part.quote'] },
      },
    },
    section: {
      attributes: {
        name: { type: 'string', unique: true },
        articles: relation('oneToMany', 'article', { mappedBy: 'section' }),
        editor: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      },
    },
    tag: {
      drafts: true,
      attributes: { name: { type: 'string' }, articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) },
    },
    comment: {
      attributes: { text: { type: 'text', required: true }, about: { type: 'relation', relation: 'morphToOne' } },
    },
    homepage: { single: true, attributes: { headline: { type: 'string' } } },
  },
  {
    seo: { description: { type: 'text' }, image: { type: 'media', multiple: false } },
    link: { label: { type: 'string', required: true }, to: relation('oneToOne', 'article') },
    hero: { heading: { type: 'string' }, image: { type: 'media', multiple: false } },
    quote: { text: { type: 'text' } },
  },
);

export interface Magazine {
  readonly model: ContentModel;
  readonly config: Config;
}

/** The model and the default configuration of a profile. */
export function loadMagazine(profile: Profile): Magazine {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-stages-'));
  try {
    writeFiles(dir, files);
    const loaded = loadModel(dir, { customFields: {}, asStrapi: profile === 'strapi' });
    const configured = loadConfig({ dir, environment: { LECTERN_PROFILE: profile }, overrides: {} });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors, undefined, 2));
    if (!configured.ok) throw new Error(configured.errors.join('\n'));
    return { model: loaded.model, config: configured.config };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
