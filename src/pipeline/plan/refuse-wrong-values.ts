/** Refuses a body before the transaction begins if it is wrong whatever is stored. If stored data
 *  may add problems to the same response, the body is checked inside the transaction instead. */
import type { ApiError } from '../../errors/api-error.ts';
import { wrongType } from '../../model/attributes/cast.ts';
import { type ContentModel, type ContentType, schemaOf } from '../../model/content-model.ts';
import { applyBody, requireEveryField } from '../body/apply-body.ts';
import { BodyProblems } from '../body/body-problems.ts';
import { linkedTargets, namedTargets, objectsOf } from '../body/body-targets.ts';
import { addPublishProblems } from '../body/check-published.ts';
import type { TargetLookup } from '../body/types.ts';
import { withOwnValues } from '../body/with-own-values.ts';
import { type Entry, emptyEntry } from '../entry/entry.ts';
import { uniqueValues } from '../entry/unique-values.ts';
import type { BodyData, BodyEntry } from '../parse/body/types.ts';
import type { Status } from '../parse/types.ts';
import type { WriteRules } from './types.ts';

export interface CheckedWrite {
  readonly type: ContentType;
  readonly action: 'create' | 'update';
  /** As `PermittedWrite.own`. */
  readonly own: BodyEntry | undefined;
  readonly partial: boolean;
  /** The attributes that the caller may write; undefined for all of them. */
  readonly writable: ReadonlySet<string> | undefined;
  readonly status: Status;
  readonly rules: WriteRules;
  readonly hashes: ReadonlyMap<string, string>;
}

/** Returns the error of a body with wrong values; undefined if there is none, or if only the
 *  transaction can find it. Throws it if the request names no document or target: as recorded from
 *  Strapi, a missing document or target is reported before wrong values.
 *
 *  POST `{ "data": { "title": 5 } }` → throws 400
 *  `title must be a string type, but the final value was: 5.`; PATCH → returns that error */
export function refuseWrongValues(data: BodyData, write: CheckedWrite, model: ContentModel): ApiError | undefined {
  const error = data.kind === 'list' ? problemOfList(data.value) : problemsOf(data.entry, write, model);
  const isCertain = write.action === 'create' && (data.kind === 'list' || !namesTarget(data.entry));
  if (error !== undefined && isCertain) throw error;
  return error;
}

function problemOfList(value: readonly unknown[]): ApiError | undefined {
  const problems = new BodyProblems();
  problems.addValue([], wrongType('object', null, value));
  return problems.error();
}

function problemsOf(body: BodyEntry, write: CheckedWrite, model: ContentModel): ApiError | undefined {
  if (dependsOnStored(withOwnValues(body, write.own), write, model)) return undefined;
  const [likely, ...others] = possibleBefore(write);
  const { wanted, problems } = appliedTo(likely, body, write, model);
  const error = problems.error();
  // Strapi reports repeated unique values together with wrong ones.
  if (error === undefined || (!write.type.draftAndPublish && uniqueValues(wanted, write.rules.enforceSchema).next().done !== true))
    return undefined;
  const text = JSON.stringify(error.toData());
  const isSame = (before: Before) => JSON.stringify(appliedTo(before, body, write, model).problems.error()?.toData()) === text;
  return others.every(isSame) ? error : undefined;
}

/** A case of what may be stored when the body is applied. */
interface Before {
  readonly isNew: boolean;
  readonly namesEveryField: boolean;
}

function possibleBefore({ type, action, partial }: CheckedWrite): readonly [Before, ...Before[]] {
  if (action === 'create') return [{ isNew: true, namesEveryField: false }];
  const cases: [Before, ...Before[]] = [{ isNew: false, namesEveryField: !partial }];
  // An update creates a missing locale, and the missing document of a single type.
  if (type.localized) cases.push({ isNew: true, namesEveryField: !partial });
  if (type.kind === 'singleType') cases.push({ isNew: true, namesEveryField: false });
  return cases;
}

interface Applied {
  readonly wanted: Entry;
  readonly problems: BodyProblems;
}

function appliedTo({ isNew, namesEveryField }: Before, body: BodyEntry, write: CheckedWrite, model: ContentModel): Applied {
  const { type, rules, hashes, status } = write;
  const problems = new BodyProblems();
  const context = {
    model,
    type,
    targets: anyTarget,
    source: { type, locale: null, status: type.draftAndPublish ? ('draft' as const) : undefined },
    rules,
    strict: !type.draftAndPublish,
    hashes,
    problems,
  };
  const whole = isNew ? withOwnValues(body, write.own) : body;
  if (namesEveryField) requireEveryField(whole, write.writable, context);
  const wanted = applyBody(whole, isNew ? undefined : emptyEntry(type, 0), undefined, context);
  if (type.draftAndPublish && status === 'published') {
    // Nothing is known here about attributes that the body does not change.
    const named = isNew ? {} : { named: new Set([...wanted.values.keys(), ...wanted.links.keys(), ...wanted.components.keys()]) };
    addPublishProblems(wanted, { rules, problems, ...named });
  }
  return { wanted, problems };
}

/** A look-up that finds every document that a body names. */
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
  // A null in a new locale is replaced by the value that the other locales share.
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

function linksDepend(body: BodyEntry, { strict, rules, model }: LinkRules): boolean {
  for (const { uid, relations } of objectsOf(body)) {
    for (const [name, change] of relations) {
      const attribute = schemaOf(model, uid)?.attributes.get(name);
      const isRequired = attribute?.required === true && strict && rules.requireRelations;
      const checksFiles = attribute?.kind === 'media' && rules.enforceSchema;
      // A missing row id adds to the message; allowed types are checked against stored files.
      if (linkedTargets(change).some(({ by }) => by === 'id' || (by === 'documentId' && checksFiles))) return true;
      // The position of a target depends on the targets that are linked already.
      if (change.kind === 'change' && (isRequired || change.connect.some(({ hasPosition }) => hasPosition))) return true;
    }
  }
  return false;
}

/** Whether a body names a document or a row, at any depth. */
const namesTarget = (body: BodyEntry): boolean =>
  [...objectsOf(body)].some(({ relations }) => [...relations.values()].flatMap(namedTargets).some(({ by }) => by !== 'unreadable'));
