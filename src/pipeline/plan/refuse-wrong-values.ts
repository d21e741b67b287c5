/** What a body is refused for whatever is stored, before a transaction begins. Where stored data may add problems to the same response, the whole
 *  response is made inside the transaction. */
import type { ApiError } from '../../errors/api-error.ts';
import { wrongType } from '../../model/attributes/cast.ts';
import type { ContentModel, ContentType, Schema } from '../../model/content-model.ts';
import { applyBody, requireEveryField } from '../body/apply-body.ts';
import { addPublishProblems } from '../body/check-published.ts';
import { MissingTargets } from '../body/missing-targets.ts';
import { Problems } from '../body/problems.ts';
import type { TargetLookup } from '../body/types.ts';
import { type Entry, emptyEntry } from '../entry/entry.ts';
import { uniqueValues } from '../entry/unique-values.ts';
import type { BodyData, BodyEntry, RelationChange, Target } from '../parse/body/types.ts';
import type { Status } from '../parse/types.ts';
import type { WriteRules } from './types.ts';

export interface CheckedWrite {
  readonly type: ContentType;
  readonly action: 'create' | 'update';
  readonly partial: boolean;
  /** Attributes that the caller may write; undefined for all of them. */
  readonly writable: ReadonlySet<string> | undefined;
  readonly status: Status;
  readonly rules: WriteRules;
  readonly hashes: ReadonlyMap<string, string>;
}

/** What is wrong with a body by itself; undefined for nothing, and where it takes the transaction to know. Throws it when the request names nothing
 *  that may be missing: as recorded, a document or a relation target that does not exist is reported before wrong values.
 *
 *  POST `{ "data": { "title": 5 } }` → throws 400 `title must be a string type, but the final value was: 5.`; PATCH → returns that error */
export function refuseWrongValues(data: BodyData, write: CheckedWrite, model: ContentModel): ApiError | undefined {
  const error = data.kind === 'list' ? problemOfList(data.value) : problemsOf(data.entry, write, model);
  const isCertain = write.action === 'create' && (data.kind === 'list' || !namesTarget(data.entry));
  if (error !== undefined && isCertain) throw error;
  return error;
}

function problemOfList(value: readonly unknown[]): ApiError | undefined {
  const problems = new Problems();
  problems.addValue([], wrongType('object', null, value));
  return problems.error();
}

function problemsOf(body: BodyEntry, write: CheckedWrite, model: ContentModel): ApiError | undefined {
  if (dependsOnStored(body, write, model)) return undefined;
  const [likely, ...others] = possibleBefore(write);
  const { wanted, problems } = appliedTo(likely, body, write, model);
  const error = problems.error();
  // Strapi reports values that are taken together with those that are wrong.
  if (error === undefined || (!write.type.draftAndPublish && uniqueValues(wanted).next().done !== true)) return undefined;
  const text = JSON.stringify(error.toData());
  const isSame = (before: Before) => JSON.stringify(appliedTo(before, body, write, model).problems.error()?.toData()) === text;
  return others.every(isSame) ? error : undefined;
}

/** What the body may find stored. */
interface Before {
  readonly isNew: boolean;
  readonly namesEveryField: boolean;
}

function possibleBefore({ type, action, partial }: CheckedWrite): readonly [Before, ...Before[]] {
  if (action === 'create') return [{ isNew: true, namesEveryField: false }];
  const cases: [Before, ...Before[]] = [{ isNew: false, namesEveryField: !partial }];
  // A locale that is not there yet, and a single type without its document, are made by an update.
  if (type.localized) cases.push({ isNew: true, namesEveryField: !partial });
  if (type.kind === 'singleType') cases.push({ isNew: true, namesEveryField: false });
  return cases;
}

interface Applied {
  readonly wanted: Entry;
  readonly problems: Problems;
}

function appliedTo({ isNew, namesEveryField }: Before, body: BodyEntry, write: CheckedWrite, model: ContentModel): Applied {
  const { type, rules, hashes, status } = write;
  const problems = new Problems();
  const context = {
    model,
    type,
    targets: anyTarget,
    source: { type, locale: null, status: type.draftAndPublish ? ('draft' as const) : undefined },
    rules,
    strict: !type.draftAndPublish,
    hashes,
    problems,
    missing: new MissingTargets(),
  };
  if (namesEveryField) requireEveryField(body, write.writable, context);
  const wanted = applyBody(body, isNew ? undefined : emptyEntry(type, 0), undefined, context);
  if (type.draftAndPublish && status === 'published') {
    // Of what the body leaves as it is nothing is known here.
    const named = isNew ? {} : { named: new Set([...wanted.values.keys(), ...wanted.links.keys(), ...wanted.components.keys()]) };
    addPublishProblems(wanted, { rules, problems, ...named });
  }
  return { wanted, problems };
}

/** As if each document that a body names existed. */
const anyTarget: TargetLookup = {
  find: (target) => {
    if (target.by !== 'documentId') return undefined;
    const { type: uid, documentId } = target;
    return { key: `${uid} ${documentId}`, rows: [{ uid, id: -1, documentId, locale: null, published: false }] };
  },
  versionOf: (row) => ({ key: `${row.uid} ${row.documentId}`, rows: [row] }),
};

/** Whether stored data may add to the problems of the body, or take some away. */
function dependsOnStored(body: BodyEntry, { type, action, rules }: CheckedWrite, model: ContentModel): boolean {
  const strict = !type.draftAndPublish;
  // A null in a new locale takes what the other locales have.
  if (action === 'update' && type.localized && (strict || namesNull(body))) return true;
  // Components with an id change stored ones.
  if (
    action === 'update' &&
    [...body.components.values()].some(({ items }) => items.some((item) => item.kind === 'entry' && item.entry.id !== undefined))
  )
    return true;
  return linksDepend(body, { strict, rules, model });
}

const namesNull = ({ scalars, relations, components }: BodyEntry): boolean =>
  [...scalars.values()].some(({ ok }) => ok === 'null') ||
  [...relations.values()].some((change) => change.kind === 'set' && change.isNull === true) ||
  [...components.values()].some(({ value }) => value === null);

interface LinkRules {
  readonly strict: boolean;
  readonly rules: WriteRules;
  readonly model: ContentModel;
}

function linksDepend({ uid, relations, components }: BodyEntry, parts: LinkRules): boolean {
  const { strict, rules, model } = parts;
  const schema: Schema | undefined = model.contentTypes.get(uid) ?? model.components.get(uid);
  for (const [name, change] of relations) {
    const attribute = schema?.attributes.get(name);
    const isRequired = attribute?.required === true && strict && rules.requireRelations;
    // Row ids that do not exist are counted in a message beside the others; files are held to the types that an attribute allows.
    if (linkedBy(change).some(({ by }) => by === 'id' || (by === 'documentId' && attribute?.kind === 'media' && rules.enforceSchema)))
      return true;
    // Where a target stands depends on those that are linked already.
    if (change.kind === 'change' && (isRequired || change.connect.some(({ isPlaced }) => isPlaced))) return true;
  }
  return [...components.values()].some(({ items }) => items.some((item) => item.kind === 'entry' && linksDepend(item.entry, parts)));
}

/** Whether a body names a document or a row, at any depth. */
const namesTarget = ({ relations, components }: BodyEntry): boolean =>
  [...relations.values()].some((change) => namedBy(change).some(({ by }) => by !== 'unreadable')) ||
  [...components.values()].some(({ items }) => items.some((item) => item.kind === 'entry' && namesTarget(item.entry)));

const namedBy = (change: RelationChange): readonly Target[] =>
  change.kind === 'set' ? change.targets : [...change.connect.map(({ target }) => target), ...change.disconnect];

const linkedBy = (change: RelationChange): readonly Target[] =>
  change.kind === 'set' ? change.targets : change.connect.map(({ target }) => target);
