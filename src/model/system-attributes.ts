/** The attributes that the server adds to every type. */
import { adminUserUid } from './built-in-types.ts';
import type { Attribute, RelationAttribute, ScalarAttribute, ScalarType } from './content-model.ts';
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
  description: undefined,
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

const creator = (name: string, column: string, draft: Draft): RelationAttribute => ({
  kind: 'relation',
  name,
  description: undefined,
  private: !draft.populateCreatorFields || draft.privateAttributes.includes(name),
  localized: false,
  required: false,
  writable: false,
  relation: 'oneToOne',
  cardinality: 'one',
  target: adminUserUid,
  inversedBy: undefined,
  mappedBy: undefined,
  twoWay: false,
  storage: { kind: 'ownColumn', column },
});

const localizations = (draft: Draft): RelationAttribute => ({
  kind: 'relation',
  name: 'localizations',
  description: undefined,
  private: !draft.localized || draft.privateAttributes.includes('localizations'),
  localized: false,
  required: false,
  writable: false,
  relation: 'oneToMany',
  cardinality: 'many',
  target: draft.uid,
  inversedBy: undefined,
  mappedBy: undefined,
  twoWay: false,
  storage: { kind: 'sameDocument' },
});

/** The attributes that come before those of the schema. */
export function leadingAttributes(draft: Draft): Attribute[] {
  const id = scalar('id', 'id', 'integer');
  return draft.kind === 'component' ? [id] : [id, scalar('documentId', 'document_id', 'string')];
}

/** The attributes that come after those of the schema. */
export function trailingAttributes(draft: Draft): Attribute[] {
  if (draft.kind === 'component') return [];
  const hidden = (name: string): Flags => ({ private: draft.privateAttributes.includes(name) });
  return [
    scalar('createdAt', 'created_at', 'datetime', hidden('createdAt')),
    scalar('updatedAt', 'updated_at', 'datetime', hidden('updatedAt')),
    scalar('publishedAt', 'published_at', 'datetime', { ...hidden('publishedAt'), writable: true }),
    scalar('locale', 'locale', 'string', { private: !draft.localized || draft.privateAttributes.includes('locale'), writable: true }),
    creator('createdBy', 'created_by_id', draft),
    creator('updatedBy', 'updated_by_id', draft),
    localizations(draft),
  ];
}
