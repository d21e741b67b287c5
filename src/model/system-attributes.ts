/** The attributes that the server adds to every type. */
import { adminUserUid } from './built-in-types.ts';
import type { Attribute, RelationAttribute, ScalarAttribute, ScalarType, Schema } from './content-model.ts';
import type { Draft } from './load/unresolved-model.ts';

interface Flags {
  readonly private?: boolean;
  readonly writable?: boolean;
}

const scalar = (name: string, column: string, type: ScalarType, flags: Flags = {}): ScalarAttribute => ({
  kind: 'scalar',
  name,
  type,
  column,
  customField: undefined,
  description: undefined,
  lectern: undefined,
  private: flags.private ?? false,
  writable: flags.writable ?? false,
  localized: false,
  required: false,
  system: true,
  searchable: true,
  unique: false,
  enumValues: undefined,
  options: {},
});

/** A one-way relation that callers see if `isShown`. */
const relation = (
  name: string,
  draft: Draft,
  isShown: boolean,
  own: Pick<RelationAttribute, 'relation' | 'cardinality' | 'target' | 'storage'>,
): RelationAttribute => ({
  kind: 'relation',
  name,
  description: undefined,
  lectern: undefined,
  private: !isShown || draft.privateAttributes.includes(name),
  localized: false,
  required: false,
  writable: false,
  relation: own.relation,
  cardinality: own.cardinality,
  target: own.target,
  inversedBy: undefined,
  mappedBy: undefined,
  twoWay: false,
  storage: own.storage,
});

/** The attributes that come before those of the schema. */
export function leadingAttributes(draft: Draft): Attribute[] {
  const id = scalar('id', 'id', 'integer');
  return draft.kind === 'component' ? [id] : [id, scalar('documentId', 'document_id', 'string')];
}

/** The attributes that come after those of the schema. */
export function trailingAttributes(draft: Draft): Attribute[] {
  if (draft.kind === 'component') return [];
  const creator = (name: string, column: string) =>
    relation(name, draft, draft.populateCreatorFields, {
      relation: 'oneToOne',
      cardinality: 'one',
      target: adminUserUid,
      storage: { kind: 'ownColumn', column },
    });
  const hidden = (name: string): Flags => ({ private: draft.privateAttributes.includes(name) });
  return [
    scalar('createdAt', 'created_at', 'datetime', hidden('createdAt')),
    scalar('updatedAt', 'updated_at', 'datetime', hidden('updatedAt')),
    scalar('publishedAt', 'published_at', 'datetime', { ...hidden('publishedAt'), writable: true }),
    scalar('locale', 'locale', 'string', { private: !draft.localized || draft.privateAttributes.includes('locale'), writable: true }),
    creator('createdBy', 'created_by_id'),
    creator('updatedBy', 'updated_by_id'),
    relation('localizations', draft, draft.localized, {
      relation: 'oneToMany',
      cardinality: 'many',
      target: draft.uid,
      storage: { kind: 'sameDocument' },
    }),
  ];
}

const leadingNames: readonly string[] = ['id', 'documentId'];
const trailingNames: readonly string[] = ['createdAt', 'updatedAt', 'publishedAt', 'locale', 'createdBy', 'updatedBy', 'localizations'];

/** Whether the server added the attribute: schema files cannot have one of the same name. */
export const isSystemAttribute = ({ kind }: Schema, { name }: Attribute): boolean =>
  leadingNames.includes(name) || (kind !== 'component' && trailingNames.includes(name));

/** Whether it leads to the other locales of the same document. */
export const isLocalizations = (attribute: Attribute): boolean =>
  attribute.kind === 'relation' && attribute.storage.kind === 'sameDocument';
