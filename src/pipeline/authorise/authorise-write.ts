/** The second stage of a write. The route has checked the right to the action; this stage checks
 *  what the body and the response reach. */

import type { Policies } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidBodyKey, refuseOtherKeys } from '../../errors/invalid-key.ts';
import { fileUid } from '../../model/built-in-types.ts';
import { type ContentModel, type ContentType, type RelationAttribute, schemaOf, type Uid } from '../../model/content-model.ts';
import { ownedByTarget, takesOver } from '../../model/relation-sides.ts';
import { isServed } from '../../model/visibility.ts';
import { noRows, ofDraftsOnly, type Restriction, together } from '../../rights/restrictions.ts';
import { findFiles, type Rights, restrictionOfFirst } from '../../rights/rights.ts';
import { namedTargets } from '../body/body-targets.ts';
import { withOwnValues } from '../body/with-own-values.ts';
import type { BodyData, BodyEntry, RelationChange } from '../parse/body/types.ts';
import type { WriteRequest } from '../parse/types.ts';
import { ownValues } from '../restrict/own-values.ts';
import { type AuthoriseParts, permittedRead } from './authorise-read.ts';
import type { PermittedWrite, WriteScopes } from './types.ts';

/** Refuses attributes that the caller may not write, and relations to documents that the caller may
 *  not find: only callers who may read a document learn that it exists.
 *
 *  Without the right to find sections, `{"data": {"section": "abc"}}` throws `body.invalid-key`. */
export function authoriseWrite(request: WriteRequest, parts: AuthoriseParts, model: ContentModel): PermittedWrite {
  const { rights } = parts;
  if (isUnpermittedPublication(request)) throw ApiError.of('access.drafts-only');
  // The response has the fields that the caller may read or, without the right to read, those that
  // the caller may write.
  const restriction = restrictionOfFirst(readActions(request.type), rights, request.restriction);
  const response = permittedRead({ ...request.response, restriction }, parts, request.action === 'create');
  const writable = request.restriction?.fields;
  const entry = request.data?.kind === 'entry' ? request.data.entry : undefined;
  if (entry !== undefined && writable !== undefined) refuseOtherKeys(namesIn(entry), writable);
  const reached: Reached = { targets: new Set(), others: new Map() };
  const targetParts = { rights, policies: parts.policies, model, ...reached };
  if (entry !== undefined) collectTargets(entry, '', targetParts);
  const own = entry === undefined || !mayMakeRow(request) ? undefined : linkable(ownValues(request.restriction, request.type), targetParts);
  const isNew = request.action === 'create';
  const data: BodyData | undefined = isNew && entry !== undefined ? { kind: 'entry', entry: withOwnValues(entry, own) } : request.data;
  const scopes = scopesOf(request, reached, parts, model);
  // Only this function adds the brand.
  return { ...request, response, writable, data, own: isNew ? undefined : own, scopes } as PermittedWrite;
}

/** Adds the attributes of `added`, which may be written and linked whatever the caller may. */
export function withAdded(permitted: PermittedWrite, added: PermittedWrite): PermittedWrite {
  if (permitted.data?.kind !== 'entry' || added.data?.kind !== 'entry') return permitted;
  const [own, more] = [permitted.data.entry, added.data.entry];
  const entry: BodyEntry = {
    ...own,
    scalars: new Map([...own.scalars, ...more.scalars]),
    relations: new Map([...own.relations, ...more.relations]),
    components: new Map([...own.components, ...more.components]),
  };
  const writable = permitted.writable && new Set([...permitted.writable, ...namesIn(more)]);
  return { ...permitted, data: { kind: 'entry', entry }, writable };
}

/** Whether a caller who may only write drafts would publish. Deletions are refused later, when the
 *  versions of the document are known. */
const isUnpermittedPublication = ({ type, action, status, restriction }: WriteRequest): boolean =>
  type.draftAndPublish && (action === 'create' || action === 'update') && status === 'published' && ofDraftsOnly(restriction).is;

/** An update makes the row of a new locale, and the document of a single type. */
const mayMakeRow = ({ action, type }: WriteRequest): boolean =>
  action === 'create' || (action === 'update' && (type.localized || type.kind === 'singleType'));

const readActions = ({ kind, uid }: ContentType): string[] =>
  (kind === 'singleType' ? ['find'] : ['findOne', 'find']).map((each) => `${uid}.${each}`);

const namesIn = ({ scalars, relations, components }: BodyEntry): string[] => [...scalars.keys(), ...relations.keys(), ...components.keys()];

interface Reached {
  /** The types of documents that the body names. */
  readonly targets: Set<Uid>;
  /** For each type, the restriction on documents that links of the body change. */
  readonly others: Map<Uid, Restriction>;
}

interface TargetParts extends Reached {
  readonly rights: Rights;
  readonly policies: Policies;
  readonly model: ContentModel;
}

function collectTargets(entry: BodyEntry, path: string, parts: TargetParts): void {
  const { rights, policies, model, targets } = parts;
  const schema = schemaOf(model, entry.uid);
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, change] of entry.relations) {
    const attribute = schema?.attributes.get(name);
    // Attached files can be read: without the right to files, every file id counts as missing.
    if (attribute?.kind === 'media' && policies.mediaNeedsRight) targets.add(attribute.target);
    if (attribute?.kind !== 'relation') continue;
    for (const type of attribute.target === undefined ? typesOf(change) : [attribute.target]) {
      const isWithin = attribute.target !== undefined || isServed(model.contentTypes.get(type));
      if (!isWithin || !rights.allows(`${type}.find`)) throw invalidBodyKey(name, within(name));
      targets.add(type);
    }
    if (!mayChangeOthers(attribute, entry.uid, parts)) throw invalidBodyKey(name, within(name));
  }
  for (const [name, { items }] of entry.components) {
    for (const item of items) if (item.kind === 'entry') collectTargets(item.entry, within(name), parts);
  }
}

/** Notes the restriction on the documents whose links a relation changes. Returns false if the
 *  caller may not write the attribute that has these links. */
function mayChangeOthers(attribute: RelationAttribute, uid: Uid, { rights, model, others }: TargetParts): boolean {
  const changed = changedBy(attribute, uid, model);
  const restriction = changed === undefined ? undefined : rights.restriction(`${changed.type}.update`);
  if (changed === undefined || restriction === undefined) return true;
  if (restriction.fields?.has(changed.attribute) === false) return false;
  others.set(changed.type, restriction);
  return true;
}

/** Own values need no right to find their target, but they change other documents as links of a
 *  body do: the second profile of a user would take the user from the first. */
function linkable(own: BodyEntry | undefined, parts: TargetParts): BodyEntry | undefined {
  if (own === undefined) return undefined;
  const attributes = schemaOf(parts.model, own.uid)?.attributes;
  const relations = [...own.relations].filter(([name]) => {
    const attribute = attributes?.get(name);
    const isTarget =
      attribute?.kind === 'relation' && attribute.target !== undefined && isServed(parts.model.contentTypes.get(attribute.target));
    return isTarget && mayChangeOthers(attribute, own.uid, parts);
  });
  return { ...own, relations: new Map(relations) };
}

/** The attribute of other documents that links change, in the target's type or the same type. A
 *  right restricted to some of these documents or attributes restricts such links as well. */
function changedBy(attribute: RelationAttribute, uid: Uid, model: ContentModel): { type: Uid; attribute: string } | undefined {
  const owning = ownedByTarget(attribute, model);
  if (owning !== undefined && attribute.target !== undefined) return { type: attribute.target, attribute: owning };
  return takesOver(attribute) ? { type: uid, attribute: attribute.name } : undefined;
}

function scopesOf(request: WriteRequest, reached: Reached, parts: AuthoriseParts, model: ContentModel): WriteScopes {
  const { rights, policies, filterOf } = parts;
  const filter = (uid: Uid, restriction: Restriction | undefined) => {
    const type = model.contentTypes.get(uid);
    return type === undefined ? undefined : filterOf(restriction, type);
  };
  const targets = [...reached.targets].flatMap((uid) => {
    const find = uid === fileUid ? restrictionOfFirst([findFiles], rights, noRows) : rights.restriction(`${uid}.find`);
    const drafts = policies.draftsNeedRight ? draftRestriction(model.contentTypes.get(uid), rights) : undefined;
    const filters = { published: filter(uid, find), draft: filter(uid, together([find, drafts])) };
    return filters.draft === undefined ? [] : [[uid, filters] as const];
  });
  const others = [...reached.others].flatMap(([uid, restriction]) => {
    const found = filter(uid, restriction);
    return found === undefined ? [] : [[uid, found] as const];
  });
  const { type, status, restriction, data } = request;
  const drafts = type.draftAndPublish ? ofDraftsOnly(restriction) : { is: false, rest: restriction };
  // Actions without a body, such as publish, have rights of their own.
  const publishes = data !== undefined && type.draftAndPublish && status === 'published';
  const publishing = drafts.is ? noRows : publishes ? rights.restriction(`${type.uid}.publish`) : undefined;
  return {
    // The draft of a published document is a draft as well.
    own: filterOf(drafts.rest, type),
    publishing: filterOf(publishing, type),
    targets: new Map(targets),
    others: new Map(others),
  };
}

/** The restriction on drafts: it excludes all of them for a caller who may not find drafts. */
function draftRestriction(type: ContentType | undefined, rights: Rights): Restriction | undefined {
  if (type?.draftAndPublish !== true) return undefined;
  return rights.allows(`${type.uid}.findDraft`) ? rights.restriction(`${type.uid}.findDraft`) : noRows;
}

/** Anchors are looked up as well, and may have another type than the target. */
const typesOf = (change: RelationChange): Uid[] =>
  namedTargets(change).flatMap((target) => (target.by === 'unreadable' ? [] : [target.type]));
