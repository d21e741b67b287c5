/** Makes reads from the content model, of what the caller may read: fields, populate, filters,
 *  sort, pagination, status and locale. Values of filters come from the content, so that they
 *  match. The same seed, model and content give the same requests. */

import type { ContentModel, ContentType, Schema } from '../model/content-model.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import type { Asked } from './ask.ts';
import { type Dice, diceOf } from './dice.ts';
import { filterOf } from './generate-filter.ts';
import type { ReplayedRequest } from './read-requests.ts';
import type { Chosen } from './request-sample.ts';
import { asTarget } from './target.ts';
import { linksOf, scalarsOf, targetOf } from './visible-attributes.ts';

export interface GenerateOptions {
  readonly count: number;
  readonly seed: number;
  readonly prefix: string;
  ask(request: ReplayedRequest): Promise<Asked>;
  isStopped(): boolean;
}

/** A type that the caller may read, and some of its entries. */
interface ReadableType {
  readonly type: ContentType;
  readonly entries: readonly JsonObject[];
}

export async function generateRequests(model: ContentModel, options: GenerateOptions): Promise<readonly Chosen<ReplayedRequest>[]> {
  const { count, seed, prefix } = options;
  const types = await readableTypes(model, options);
  const dice = diceOf(seed);
  const targets = new Set<string>();
  const add = (type: ContentType, query: readonly string[], id = '') => {
    const path = `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}${id}`;
    targets.add(query.length === 0 ? path : `${path}?${query.join('&')}`);
  };
  for (const { type } of types) add(type, []);
  // Some requests turn out to be the same.
  for (let attempt = 0; targets.size < count && attempt < 20 * count && types.length > 0; attempt++) {
    const { type, entries } = dice.pick(types);
    const documentId = type.kind === 'collectionType' && dice.chance(0.15) ? dice.pickOrNone(entries)?.documentId : undefined;
    if (typeof documentId === 'string') add(type, sharedParameters(type, model, dice), `/${documentId}`);
    else if (type.kind === 'singleType') add(type, sharedParameters(type, model, dice));
    else {
      const shared = sharedParameters(type, model, dice);
      add(type, [...shared, ...filters(type, { model, entries, dice }), ...sort(type, dice), ...pagination(dice)]);
    }
  }
  return [...targets].slice(0, count).map((target) => ({ request: { method: 'GET', target: asTarget(target) }, times: 1 }));
}

/** Asks Lectern for each type. The entries also show which values there are. */
async function readableTypes(model: ContentModel, { prefix, ask, isStopped }: GenerateOptions): Promise<readonly ReadableType[]> {
  const found: ReadableType[] = [];
  for (const type of model.contentTypes.values()) {
    if (!type.routed || isStopped()) continue;
    const path = type.kind === 'singleType' ? `/${type.singularName}` : `/${type.pluralName}?pagination[pageSize]=20`;
    const answer = await ask({ method: 'GET', target: asTarget(prefix + path) });
    if (answer.kind === 'failed' || (answer.status !== 200 && answer.status !== 404)) continue;
    found.push({ type, entries: answer.status === 200 ? entriesOf(answer.body) : [] });
  }
  return found;
}

function entriesOf(body: Buffer): readonly JsonObject[] {
  const value: unknown = JSON.parse(body.toString('utf8'));
  const data = isObject(value) ? value.data : undefined;
  return (Array.isArray(data) ? data : [data]).filter(isObject);
}

function sharedParameters(type: ContentType, model: ContentModel, dice: Dice): readonly string[] {
  const names = scalarsOf(type).map(({ name }) => name);
  return [
    ...(dice.chance(0.35) ? dice.some(names, 4).map((name, position) => `fields[${position}]=${name}`) : []),
    ...(dice.chance(0.6) ? populateOf(type, model, dice) : []),
    ...(type.localized && dice.chance(0.3) ? [`locale=${dice.pick(['en', 'fr', 'de', '*'])}`] : []),
    ...(type.draftAndPublish && dice.chance(0.3) ? [`status=${dice.pick(['draft', 'published'])}`] : []),
  ];
}

function filters(
  type: Schema,
  { model, entries, dice }: { model: ContentModel; entries: readonly JsonObject[]; dice: Dice },
): readonly string[] {
  if (!dice.chance(0.6)) return [];
  const one = (prefix: string) => filterOf(type, prefix, { model, entry: dice.pickOrNone(entries), dice });
  const kind = dice.next();
  if (kind < 0.7) return one('filters');
  if (kind < 0.85) return [...one('filters[$or][0]'), ...one('filters[$or][1]')];
  if (kind < 0.93) return [...one('filters[$and][0]'), ...one('filters[$and][1]')];
  return one('filters[$not]');
}

/** Equal values may come in any order, so the row id decides in the end. */
function sort(type: Schema, dice: Dice): readonly string[] {
  if (!dice.chance(0.5)) return [];
  const sortable = scalarsOf(type).filter((attribute) => !unsorted.has(attribute.type));
  const names = dice.some(sortable, 2).map(({ name }) => name);
  return [...names, 'id'].map((name, position) => `sort[${position}]=${name}:${dice.pick(['asc', 'desc'])}`);
}

/** Databases have no order of their own for JSON. */
const unsorted: ReadonlySet<string> = new Set(['json', 'blocks', 'richtext', 'text']);

function pagination(dice: Dice): readonly string[] {
  if (!dice.chance(0.6)) return [];
  const total = dice.chance(0.2) ? ['pagination[withCount]=false'] : [];
  const size = dice.pick([1, 2, 5, 10, 25, 100]);
  if (dice.chance(0.5)) return [`pagination[page]=${1 + dice.below(3)}`, `pagination[pageSize]=${size}`, ...total];
  return [`pagination[start]=${dice.below(6)}`, `pagination[limit]=${size}`, ...total];
}

/** Further levels say nothing that two do not. */
const maxLevels = 2;

function populateOf(schema: Schema, model: ContentModel, dice: Dice): readonly string[] {
  const links = linksOf(schema);
  if (links.length === 0) return [];
  const kind = dice.next();
  if (kind < 0.2) return ['populate=*'];
  if (kind < 0.4) return dice.some(links, 3).map(({ name }, position) => `populate[${position}]=${name}`);
  return objectOf(schema, 'populate', { model, dice, level: 1 });
}

function objectOf(schema: Schema, prefix: string, parts: { model: ContentModel; dice: Dice; level: number }): readonly string[] {
  const { model, dice, level } = parts;
  return dice.some(linksOf(schema), 3).flatMap((attribute) => {
    const path = `${prefix}[${attribute.name}]`;
    if (attribute.kind === 'dynamiczone') {
      const components = dice.some(attribute.components, 2);
      return dice.chance(0.5) ? [`${path}[populate]=*`] : components.map((uid) => `${path}[on][${uid}][populate]=*`);
    }
    const target = targetOf(attribute, model);
    if (target === undefined || dice.chance(0.3)) return [`${path}=true`];
    const names = dice.chance(0.5) ? dice.some(scalarsOf(target), 3) : [];
    const fields = names.map(({ name }, position) => `${path}[fields][${position}]=${name}`);
    const deeper = level < maxLevels && dice.chance(0.5) ? objectOf(target, `${path}[populate]`, { ...parts, level: level + 1 }) : [];
    return fields.length + deeper.length === 0 ? [`${path}=true`] : [...fields, ...deeper];
  });
}
