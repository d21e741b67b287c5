/** `ref`, `refId` and `field` of an upload: the attribute that its files are attached to. */

import type { Policies } from '../../../config/config.ts';
import type { Connection } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { FileLink } from '../../../media/library/file-store.ts';
import type { ContentModel, ContentType, MediaAttribute } from '../../../model/content-model.ts';
import type { IsRowAllowed } from '../../../pipeline/call.ts';
import type { Restriction } from '../../../rights/restrictions.ts';
import type { Rights } from '../../../rights/rights.ts';
import { rowIdOf } from '../rows.ts';

export interface LinkParts {
  readonly policies: Policies;
  readonly model: ContentModel;
  readonly isRowAllowed: IsRowAllowed;
}

export interface PermittedLink extends FileLink {
  /** Throws when the row is outside of the caller's restrictions. Called before and after
   *  writing. */
  check(connection: Connection): Promise<void>;
}

const names = ['ref', 'refId', 'field'] as const;

/** Undefined for an upload that is attached to nothing. Files can be attached only to rows that a
 *  caller could also write: types and components of the project, never users. */
export function readLink(
  fields: ReadonlyMap<string, readonly string[]>,
  files: number,
  rights: Rights,
  { policies, model, isRowAllowed }: LinkParts,
): PermittedLink | undefined {
  const strict = policies.linkNeedsRight;
  const [ref, refId, field] = names.map((name) => single(name, fields.get(name)));
  if (ref === undefined || refId === undefined || field === undefined) {
    // As recorded: one of the three without the others has no effect.
    const missing = names[[ref, refId, field].indexOf(undefined)];
    if (strict && !(ref === undefined && refId === undefined && field === undefined))
      throw refused(`${missing} is missing: ref, refId and field go together`);
    return undefined;
  }
  const id = rowIdOf(refId);
  if (id === undefined) throw refused('refId must be the id of a row, a number');
  const type = ref.startsWith('api::') ? model.contentTypes.get(ref) : undefined;
  const component = model.components.get(ref);
  const schema = type ?? component;
  if (schema === undefined) throw refused(`ref: there is no type ${shown(ref)} that files can be attached to`);
  if (field.length > maxFieldLength) throw refused(`field is longer than ${maxFieldLength} characters`);
  if (field.includes('\0')) throw refused('field must not have the character NUL');
  const attribute = schema.attributes.get(field);
  const media = attribute?.kind === 'media' ? attribute : undefined;
  if (strict) {
    if (type === undefined) throw refused(`ref: ${ref} is a component; name the type of its document, or change the document`);
    if (!rights.allows(`${ref}.update`)) throw ApiError.of('access.forbidden');
    if (media?.writable !== true) throw refused(`field: ${shown(field)} is no media attribute of ${ref}`);
  }
  if (component !== undefined && isRestrictedWriter(rights, model)) throw ApiError.of('access.outside');
  const restriction = rights.allows(`${ref}.update`) ? rights.restriction(`${ref}.update`) : undefined;
  if (restriction?.fields?.has(field) === false)
    throw refused(`field: ${shown(field)} is not among the attributes that the right to update is for`);
  if (policies.enforceSchemaRules && media?.cardinality === 'one' && files > 1) throw refused(`field: ${field} takes one file`);
  return {
    type: ref,
    owner: type,
    id,
    field,
    single: media?.cardinality === 'one',
    allowedTypes: policies.enforceSchemaRules ? kindsOf(media) : undefined,
    async check(connection) {
      if (type === undefined) return;
      const reached = await isRowAllowed(connection, { type, id }, { own: restriction, publishing: publishingRestriction(type, rights) });
      if (!reached && (strict || restriction !== undefined)) throw refused(`refId: there is no ${ref} with the id ${id}`);
    },
  };
}

/** Characters in the column. */
const maxFieldLength = 255;
const maxShownLength = 100;
const shown = (text: string) => (text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text);

function single(name: string, values: readonly string[] = []): string | undefined {
  if (values.length > 1) throw refused(`${name} is given more than once`);
  return values[0] === '' ? undefined : values[0];
}

const publishingRestriction = ({ uid, draftAndPublish }: ContentType, rights: Rights): Restriction | undefined =>
  draftAndPublish ? rights.restriction(`${uid}.publish`) : undefined;

const kindsOf = (media: MediaAttribute | undefined) => (media?.allowedTypes?.length === 0 ? undefined : media?.allowedTypes);

/** A component's row does not name its document: restricted callers may not change it this way. */
const isRestrictedWriter = (rights: Rights, model: ContentModel): boolean =>
  [...model.contentTypes.keys()].some((uid) => rights.allows(`${uid}.update`) && rights.restriction(`${uid}.update`) !== undefined);

const refused = (problem: string) => ApiError.of('upload.link', { problem });
