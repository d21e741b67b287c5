/** Every question that can be asked about every attribute of a model: each attribute, each operator, each place. */
import type { Attribute, ContentModel, ContentType, ScalarType, Schema } from '../../src/model/content-model.ts';
import { comparisons, publicationFilters } from './query-words.ts';

const fewOperators = ['$eq', '$gt', '$containsi', '$notNull'];

/** For each kind of value one between those of the two versions, and the one of the first. */
function valuesFor(attribute: Attribute): readonly string[] {
  if (attribute.kind !== 'scalar') return ['1'];
  const values: Partial<Record<ScalarType, readonly string[]>> = {
    integer: ['5', '1'],
    biginteger: ['5', '1'],
    decimal: ['5', '1.5'],
    float: ['5', '1.5'],
    boolean: ['true'],
    date: ['2005-05-05', '2001-01-01'],
    datetime: ['2005-05-05T00:00:00.000Z', '2001-01-01T00:00:00.000Z'],
    password: ['alpha-Pass-1', '$2b$04$V'],
  };
  return values[attribute.type] ?? (attribute.name === 'id' ? ['2'] : ['alpha value', 'alpha', 'b']);
}

const columnsOf = (schema: Schema): readonly string[] =>
  [...schema.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'scalar' && attribute.column !== attribute.name
      ? [attribute.column]
      : attribute.kind === 'relation'
        ? [`${attribute.name}_id`]
        : [],
  );

interface QueryPosition {
  /** `['topics', 'patron']` */
  readonly hops: readonly string[];
  readonly schema: Schema;
}

const maxHops = 2;

function positionsFrom(schema: Schema, model: ContentModel, hops: readonly string[] = []): QueryPosition[] {
  const here = { hops, schema };
  if (hops.length === maxHops) return [here];
  const further = [...schema.attributes.values()].flatMap((attribute) =>
    targetsOf(attribute, model).flatMap((target) => positionsFrom(target, model, [...hops, attribute.name])),
  );
  return [here, ...further];
}

function targetsOf(attribute: Attribute, model: ContentModel): readonly Schema[] {
  const uids =
    attribute.kind === 'relation' || attribute.kind === 'media'
      ? [attribute.target ?? '']
      : attribute.kind === 'component'
        ? [attribute.component]
        : [];
  return uids.flatMap((uid) => model.contentTypes.get(uid) ?? model.components.get(uid) ?? []);
}

const bracketed = (names: readonly string[]) => names.map((name) => `[${name}]`).join('');
const encoded = encodeURIComponent;

function condition(operator: string, value: string): string {
  if (operator === '$between') return `[$between][0]=${encoded(value)}&{}[$between][1]=zzz`;
  return `[${operator}]=${operator === '$null' || operator === '$notNull' ? 'true' : encoded(value)}`;
}

const filterOn = (start: string, operator: string, value: string) => `${start}${condition(operator, value).replace('{}', start)}`;

export interface Questions {
  /** About groups of its rows, and their numbers. */
  readonly groups: readonly string[];
  /** About the type's own attributes, and about nothing in particular. */
  readonly near: readonly string[];
  /** Through one or more relations, components and files. */
  readonly far: readonly string[];
}

/** Query strings for a list of `type`. */
export function questionsAbout(type: ContentType, model: ContentModel): Questions {
  const [here, ...further] = positionsFrom(type, model);
  return {
    near: [...new Set([...(here === undefined ? [] : questionsAt(here)), ...always])],
    far: [...new Set(further.flatMap(questionsAt))],
    groups: here === undefined ? [] : groupsOf(here),
  };
}

function questionsAt({ hops, schema }: QueryPosition): readonly string[] {
  const isNear = hops.length < maxHops;
  const path = (name: string) => [...hops, name];
  const known = [...schema.attributes.values()].flatMap((attribute) => {
    const at = bracketed(path(attribute.name));
    const asked = isNear ? comparisons : fewOperators;
    const filters = asked.flatMap((operator) =>
      valuesFor(attribute)
        .slice(0, isNear ? 2 : 1)
        .map((value) => filterOn(`filters${at}`, operator, value)),
    );
    const dotted = path(attribute.name).join('.');
    const elsewhere = [
      `sort=${dotted}:desc`,
      `sort${at}=asc`,
      `populate=${dotted}`,
      `populate${bracketed(hops.flatMap((hop) => [hop, 'populate']))}[${attribute.name}][count]=true`,
      `filters[$or][0]${filterOn(at, '$containsi', 'alpha')}`,
      `filters[$not]${filterOn(at, '$null', '')}`,
      `filters${at}=${encoded(valuesFor(attribute)[0] ?? '')}`,
    ];
    return [...filters, ...elsewhere, ...insidePopulate(hops, attribute)];
  });
  const aliases = [...columnsOf(schema), 'created_by_id', 'updated_by_id', 'document_id', 'password', 'passwordHash'];
  const unknown = aliases.flatMap((name) => [`filters${bracketed(path(name))}=1`, `sort=${path(name).join('.')}`]);
  return [...known, ...(isNear ? unknown : [])];
}

function groupsOf(here: QueryPosition): readonly string[] {
  const names = [...here.schema.attributes.keys(), ...columnsOf(here.schema), 'document_id', 'password'];
  const counted = questionsAt(here).filter((query, at) => query.startsWith('filters') && at % 5 === 0);
  return [
    ...names.flatMap((name) => [`groupBy=${name}`, `groupBy=${name}:year`, `sum=${name}&avg=${name}`, `min=${name}&max=${name}`]),
    ...counted.map((query) => `count&${query}`),
    'groupBy=status',
    'count&_q=alpha',
  ];
}

/** The relation is populated, and the question is asked of what is in it. */
function insidePopulate(hops: readonly string[], attribute: Attribute): readonly string[] {
  if (hops.length === 0) return [`fields=${attribute.name}`, `fields[0]=${attribute.name}`];
  const start = `populate${bracketed(hops.flatMap((hop, at) => (at === 0 ? [hop] : ['populate', hop])))}`;
  const on = `populate${bracketed(hops.slice(0, 1))}[on]`;
  return [
    `${start}[fields]=${attribute.name}`,
    `${start}[sort]=${attribute.name}:desc`,
    `${start}[populate]=${attribute.name}`,
    ...fewOperators.map((operator) => filterOn(`${start}[filters][${attribute.name}]`, operator, valuesFor(attribute)[0] ?? '')),
    ...['part.piece', 'api::person.person'].map(
      (uid) => `${on}[${uid}][filters][${attribute.name}]=${encoded(valuesFor(attribute)[0] ?? '')}`,
    ),
  ];
}

const words = ['alpha', 'beta', 'alpha value', 'alpha-uid', 'Ada', 'rita', 'admin.example', '$2b$', '2001-01-01', '1.5', 'e', '9'];

/** Queries that are about no particular attribute. */
const always: readonly string[] = [
  '',
  'populate=*',
  'populate[zone][populate]=*',
  'populate[zone][on][part.piece][populate]=*&populate[zone][on][part.link][populate]=*',
  'populate[about][on][api::person.person][fields]=name',
  'populate[attached][on][api::person.person]=true&populate[attached][on][api::topic.topic]=true',
  'populate[topics][populate][articles][populate]=*',
  'populate[articles][populate]=*',
  'populate[articles][count]=true',
  'populate[createdBy]=true&populate[updatedBy]=true',
  'populate=localizations',
  'locale=*',
  'locale=de&populate=*',
  'pagination[pageSize]=1',
  'pagination[start]=0&pagination[limit]=1&pagination[withCount]=true',
  ...words.map((word) => `_q=${encoded(word)}`),
  ...words.map((word) => `_q=${encoded(word)}&populate=*`),
  ...['draft', 'published', 'Draft', ''].flatMap((status) => [`status=${status}`, `status=${status}&populate=*`]),
  ...publicationFilters.flatMap((name) => [`publicationFilter=${name}`, `publicationFilter=${name}&populate=*`]),
  'hasPublishedVersion=true',
  'hasPublishedVersion=false',
];
