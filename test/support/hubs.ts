/** Documents with relations of every kind: hubs, which have them, and spokes, which they lead to. */
import type { EngineName } from './engines.ts';
import { component, relation, schemaFiles, translated } from './schema-files.ts';
import { seedImage, seedLocales } from './seeds.ts';
import { idOf, type Json, type Served, useProject } from './served-project.ts';

const morph = (kind: string, more: object = {}) => ({ type: 'relation', relation: kind, ...more });
const spokeUid = 'api::spoke.spoke';
export const hubUid = 'api::hub.hub';
const ofHub = (kind: string, morphBy: string) => morph(kind, { target: hubUid, morphBy });

const files = schemaFiles(
  {
    hub: {
      attributes: {
        name: { type: 'string' },
        oneWayOne: relation('oneToOne', 'spoke'),
        twoWayOne: relation('oneToOne', 'spoke', { inversedBy: 'hubOne' }),
        columnOne: relation('oneToOne', 'spoke', { useJoinTable: false }),
        oneWayParent: relation('manyToOne', 'spoke'),
        columnParent: relation('manyToOne', 'spoke', { useJoinTable: false }),
        oneWayMany: relation('oneToMany', 'spoke'),
        twoWayMany: relation('oneToMany', 'spoke', { mappedBy: 'hubParent' }),
        oneWayMm: relation('manyToMany', 'spoke'),
        twoWayMm: relation('manyToMany', 'spoke', { inversedBy: 'hubsMm' }),
        selfOne: relation('oneToOne', 'hub', { inversedBy: 'selfOneBack' }),
        selfOneBack: relation('oneToOne', 'hub', { mappedBy: 'selfOne' }),
        parent: relation('manyToOne', 'hub', { inversedBy: 'children' }),
        children: relation('oneToMany', 'hub', { mappedBy: 'parent' }),
        anyOne: morph('morphToOne'),
        anyMany: morph('morphToMany'),
        pictures: { type: 'media', multiple: true },
        picture: { type: 'media', multiple: false },
        part: component('link'),
        parts: component('link', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.link'] },
      },
    },
    spoke: {
      attributes: {
        name: { type: 'string' },
        hubOne: relation('oneToOne', 'hub', { mappedBy: 'twoWayOne' }),
        hubParent: relation('manyToOne', 'hub', { inversedBy: 'twoWayMany' }),
        hubsMm: relation('manyToMany', 'hub', { mappedBy: 'twoWayMm' }),
        ofOne: ofHub('morphOne', 'anyOne'),
        ofOnes: ofHub('morphMany', 'anyOne'),
        ofMany: ofHub('morphMany', 'anyMany'),
        ofManyOne: ofHub('morphOne', 'anyMany'),
      },
    },
    secret: { attributes: { name: { type: 'string' } } },
    tale: {
      drafts: true,
      localized: true,
      attributes: {
        name: { type: 'string', ...translated },
        tales: relation('manyToMany', 'tale', { inversedBy: 'inTales' }),
        inTales: relation('manyToMany', 'tale', { mappedBy: 'tales' }),
      },
    },
  },
  {
    link: {
      label: { type: 'string' },
      to: relation('oneToOne', 'spoke'),
      many: relation('manyToMany', 'secret'),
      any: morph('morphToMany'),
      more: component('deep'),
    },
    deep: { to: relation('manyToOne', 'secret') },
  },
);
const documents = (keys: readonly string[]) => keys.map((key) => ({ key, status: 'published' as const, data: { name: key } }));
const file = (name: string) => ({ key: name, status: 'published' as const, data: { ...seedImage(name), name } });
const options = {
  files,
  locales: seedLocales('en', 'de'),
  types: [
    { type: 'plugin::upload.file', documents: ['f0', 'f1', 'f2'].map(file) },
    { type: spokeUid, documents: documents(['s0', 's1', 's2', 's3']) },
    { type: 'api::secret.secret', documents: documents(['hush']) },
    { type: hubUid, documents: documents(['root']) },
  ],
  tokens: {
    builder: ['api::hub.hub.find', 'api::hub.hub.findOne', 'api::hub.hub.create', 'api::hub.hub.update', 'api::spoke.spoke.find'],
    blind: ['api::hub.hub.create', 'api::hub.hub.update'],
  },
};

/** The documentIds of the spokes. */
export const [s0 = '', s1 = '', s2 = '', s3 = ''] = [0, 1, 2, 3].map((index) => idOf('spoke', `s${index}`));
export const hush = idOf('secret', 'hush');
export const at = (documentId: string, position: object) => ({ documentId, position });
export const spoke = (documentId: string, more: object = {}) => ({ __type: spokeUid, documentId, ...more });

/** The names of the documents that a relation shows. */
export const nameOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(nameOf) : value === null || typeof value !== 'object' ? value : (value as Json).name;
export interface Hubs {
  readonly api: Served;
  /** Makes a hub without relations; returns its documentId. */
  hub(name?: string): Promise<string>;
  /** Changes a relation; returns the names that the response shows in it. */
  change(type: string, id: string, name: string, value: unknown): Promise<unknown>;
  /** The names that a read shows in a relation. */
  leads(type: string, id: string, name: string): Promise<unknown>;
}

/** Called in the body of a `describe`. */
export function useHubs(engine: EngineName): Hubs {
  const api = useProject(engine, options);
  return {
    api,
    hub: async (name = 'hub') => String((await api.write('POST', '/api/hubs', { name })).documentId),
    change: async (type, id, name, value) =>
      nameOf((await api.write('PATCH', `/api/${type}s/${id}?populate=${name}`, { [name]: value }))[name]),
    leads: async (type, id, name) => nameOf((await api.read(`/api/${type}s/${id}?populate=${name}`))[name]),
  };
}
