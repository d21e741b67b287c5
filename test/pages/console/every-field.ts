/** A project with an attribute of every type, for tests of forms. */
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import type { Json } from '../../support/served-project.ts';

const whole = schemaFiles(
  {
    thing: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, minLength: 3, maxLength: 60, ...translated, lectern: { help: 'Shown in lists.' } },
        slug: { type: 'uid', targetField: 'title', ...translated },
        summary: { type: 'text', maxLength: 200, lectern: { placeholder: 'Two sentences' } },
        story: { type: 'richtext' },
        body: { type: 'blocks' },
        mail: { type: 'email', lectern: { width: 'half' } },
        pin: { type: 'password', lectern: { width: 'half' } },
        count: { type: 'integer', min: 0, lectern: { width: 'third' } },
        serial: { type: 'biginteger', lectern: { width: 'third', currency: 'JPY' } },
        ratio: { type: 'float', lectern: { width: 'third' } },
        price: { type: 'decimal', lectern: { width: 'third', currency: 'EUR' } },
        visible: { type: 'boolean', default: true, lectern: { width: 'third' } },
        checked: { type: 'boolean', lectern: { width: 'third' } },
        size: { type: 'enumeration', enum: ['small', 'medium', 'large'], lectern: { width: 'half' } },
        month: { type: 'enumeration', enum: ['January', 'February', 'March', 'April', 'May', 'June'], lectern: { width: 'half' } },
        day: { type: 'date', lectern: { width: 'half' } },
        clock: { type: 'time', lectern: { width: 'half' } },
        moment: { type: 'datetime', lectern: { width: 'half' } },
        stamp: { type: 'timestamp', lectern: { width: 'half' } },
        data: { type: 'json' },
        owner: relation('manyToOne', 'person', { inversedBy: 'things' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'things' }),
        related: relation('oneToMany', 'thing', { mappedBy: 'relatedTo' }),
        relatedTo: relation('manyToOne', 'thing', { inversedBy: 'related' }),
        subject: { type: 'relation', relation: 'morphToOne' },
        mentions: { type: 'relation', relation: 'morphToMany' },
        cover: { type: 'media', allowedTypes: ['images'] },
        pictures: { type: 'media', multiple: true },
        seo: component('seo', { lectern: { group: 'search' } }),
        steps: component('step', { repeatable: true, max: 4, ...translated }),
        zone: { type: 'dynamiczone', components: ['part.quote', 'part.step', 'part.seo'], max: 6 },
      },
    },
    tag: {
      drafts: true,
      localized: true,
      attributes: {
        name: { type: 'string', required: true, ...translated },
        things: relation('manyToMany', 'thing', { mappedBy: 'tags' }),
      },
    },
    person: {
      plural: 'people',
      attributes: { name: { type: 'string', required: true }, things: relation('oneToMany', 'thing', { mappedBy: 'owner' }) },
    },
  },
  {
    seo: { metaTitle: { type: 'string', maxLength: 20 }, metaDescription: { type: 'text' }, step: component('step') },
    quote: { words: { type: 'text', required: true }, by: relation('oneToOne', 'person') },
    step: {
      label: { type: 'string', required: true },
      minutes: { type: 'integer' },
      leaves: component('leaf', { repeatable: true }),
      tags: relation('oneToMany', 'tag'),
    },
    leaf: { name: { type: 'string' } },
  },
);

const thingFile = 'src/api/thing/content-types/thing/schema.json';
const quoteFile = 'src/components/part/quote.json';
export const everyField = {
  ...whole,
  [thingFile]: { ...(whole[thingFile] as Json), lectern: { groups: [{ name: 'search', label: 'Search engines' }] } },
  [quoteFile]: { ...(whole[quoteFile] as Json), info: { displayName: 'Quote', description: 'Words of somebody' } },
};

const actions = ['find', 'findOne', 'create', 'update', 'delete'];
const drafts = ['findDraft', 'publish'];
const of = (type: string, all: readonly string[]) => all.map((action) => `api::${type}.${type}.${action}`);

/** Of an editor who may do everything with it. */
export const everyRight: readonly string[] = [
  ...['thing', 'tag', 'person'].flatMap((type) => of(type, actions)),
  ...['thing', 'tag'].flatMap((type) => of(type, drafts)),
  'plugin::upload.content-api.find',
  'plugin::upload.content-api.findOne',
  'plugin::upload.content-api.upload',
  'plugin::users-permissions.user.me',
  'plugin::users-permissions.auth.logout',
  'plugin::users-permissions.auth.refresh',
];
