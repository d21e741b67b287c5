/** `ref`, `refId` and `field` of an upload: the attribute that its files are attached to. */

import type { Policies } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { FileLink } from '../../../media/library/file-store.ts';
import type { ContentModel, ContentType, MediaAttribute } from '../../../model/content-model.ts';
import type { NamedVersion, ReachRow } from '../../../pipeline/call.ts';
import type { Restriction } from '../../../rights/restrictions.ts';
import type { Rights } from '../../../rights/rights.ts';
import { isRowIdText, rowIdOf } from '../rows.ts';

export interface LinkParts {
  readonly policies: Policies;
  readonly model: ContentModel;
  readonly reachRow: ReachRow;
}

const names = ['ref', 'refId', 'field'] as const;

/** Undefined for an upload that is attached to nothing. Files can be attached only to rows that a
 *  caller could also write: types and components of the project, never users. */
export function readLink(
  fields: ReadonlyMap<string, readonly string[]>,
  files: number,
  rights: Rights,
  { policies, model, reachRow }: LinkParts,
): FileLink | undefined {
  const strict = policies.linkNeedsRight;
  const [ref, refId, field] = names.map((name) => single(name, fields.get(name)));
  if (ref === undefined || refId === undefined || field === undefined) {
    // As recorded: one of the three without the others has no effect.
    const missing = names[[ref, refId, field].indexOf(undefined)];
    if (strict && !(ref === undefined && refId === undefined && field === undefined))
      throw refused(`${missing} is missing: ref, refId and field go together`);
    return undefined;
  }
  const row = namedRow(refId, fields);
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
  const link = {
    type: ref,
    owner: type,
    field,
    single: media?.cardinality === 'one',
    allowedTypes: policies.enforceSchemaRules ? kindsOf(media) : undefined,
  };
  if (type === undefined) {
    if (typeof row !== 'number') throw refused(`refId must be the id of a row: components like ${ref} have no documentId`);
    return { ...link, rowId: async () => row };
  }
  const publishing = publishingRestriction(type, rights);
  return {
    ...link,
    async rowId(connection) {
      const reached = await reachRow(connection, type, row, { own: restriction, publishing });
      if (reached !== undefined) return reached;
      // As recorded, in profile `strapi`: a row that does not exist is stored as well.
      if (typeof row === 'number' && !strict && restriction === undefined) return row;
      throw refused(`refId: there is no ${ref} with the ${describeRow(row, type)}`);
    },
  };
}

/** Characters in the column. */
const maxFieldLength = 255;
const maxShownLength = 100;
const shown = (text: string) => (text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text);

/** The draft in the default locale, unless the other fields name another version: Strapi's document
 *  service has the same defaults. */
function namedRow(refId: string, fields: ReadonlyMap<string, readonly string[]>): number | NamedVersion {
  if (!isRowIdText(refId)) {
    const status = single('status', fields.get('status')) ?? 'draft';
    if (status !== 'draft' && status !== 'published') throw refused('status must be draft or published');
    return { documentId: refId, locale: single('locale', fields.get('locale')), status };
  }
  const id = rowIdOf(refId);
  if (id === undefined) throw refused('refId must be the id of a row, or a documentId');
  return id;
}

function describeRow(row: number | NamedVersion, { localized, draftAndPublish }: ContentType): string {
  if (typeof row === 'number') return `id ${row}`;
  const locale = localized && row.locale !== undefined ? ` in the locale ${shown(row.locale)}` : '';
  return `documentId ${shown(row.documentId)}${locale}${draftAndPublish ? ` (${row.status})` : ''}`;
}

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
