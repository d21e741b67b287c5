/** `ref`, `refId` and `field` of an upload: what its files are attached to. */

import type { Policies } from '../../../config/config.ts';
import type { Connection } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Rights } from '../../../identity/actor.ts';
import type { FileLink } from '../../../media/library/file-store.ts';
import type { ContentModel, ContentType, MediaAttribute } from '../../../model/content-model.ts';
import type { IsRowAllowed } from '../../../pipeline/call.ts';
import type { Restriction } from '../../../rights/restrictions.ts';
import { rowIdOf } from '../row-id.ts';

export interface LinkParts {
  readonly policies: Policies;
  readonly model: ContentModel;
  readonly isRowAllowed: IsRowAllowed;
}

export interface PermittedLink extends FileLink {
  /** Throws where there is no such row within what the caller may change. Asked inside the transaction, before and after. */
  check(connection: Connection): Promise<void>;
}

const names = ['ref', 'refId', 'field'] as const;

/** Undefined for an upload that belongs to nothing. Only what a caller could change by writing the document as well is attached to: types and
 *  components of the project, never users of any kind. */
export function readLink(
  fields: ReadonlyMap<string, readonly string[]>,
  files: number,
  rights: Rights,
  { policies, model, isRowAllowed }: LinkParts,
): PermittedLink | undefined {
  const strict = policies.linkNeedsRight;
  const [ref, refId, field] = names.map((name) => single(name, fields.get(name)));
  if (ref === undefined || refId === undefined || field === undefined) {
    // As recorded: one without the others means nothing.
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
  if (field.length > longestField) throw refused(`field is longer than ${longestField} characters`);
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

/** What the column holds. */
const longestField = 255;
const longestShown = 100;
const shown = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);

function single(name: string, values: readonly string[] = []): string | undefined {
  if (values.length > 1) throw refused(`${name} is given more than once`);
  return values[0] === '' ? undefined : values[0];
}

const publishingRestriction = ({ uid, draftAndPublish }: ContentType, rights: Rights): Restriction | undefined =>
  draftAndPublish ? rights.restriction(`${uid}.publish`) : undefined;

const kindsOf = (media: MediaAttribute | undefined) => (media?.allowedTypes?.length === 0 ? undefined : media?.allowedTypes);

/** A row of a component tells nothing of whose it is, so who may change only some documents changes none this way. */
const isRestrictedWriter = (rights: Rights, model: ContentModel): boolean =>
  [...model.contentTypes.keys()].some((uid) => rights.allows(`${uid}.update`) && rights.restriction(`${uid}.update`) !== undefined);

const refused = (problem: string) => ApiError.of('upload.link', { problem });
