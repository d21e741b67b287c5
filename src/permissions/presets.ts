/** Presets: short names for the restrictions that projects need most. Each stands for a condition,
 *  which is what the database stores. */
import { userUid } from '../model/built-in-types.ts';
import type { Attribute, ContentModel, ContentType, RelationAttribute, ScalarType } from '../model/content-model.ts';
import { isUserValue } from '../rights/restrictions.ts';
import type { JsonObject } from '../text/json.ts';
import { orMeant } from '../text/nearest.ts';

export type PresetName = 'owner' | 'tenant' | 'published-only' | 'drafts-only';

/** A preset as the file has it. */
export interface Preset {
  readonly preset: PresetName;
  readonly attribute?: string;
  readonly user?: string;
}

/** The further keys of each preset. */
export const presetKeys: Readonly<Record<PresetName, readonly ('attribute' | 'user')[]>> = {
  owner: ['attribute'],
  tenant: ['attribute', 'user'],
  'published-only': [],
  'drafts-only': [],
};

/** What a right with these presets opens of a type that has no drafts. */
export const withoutDrafts = { 'published-only': 'every row', 'drafts-only': 'nothing' } as const satisfies Partial<
  Record<PresetName, string>
>;

export const isPresetName = (name: unknown): name is PresetName => typeof name === 'string' && Object.hasOwn(presetKeys, name);

export interface PresetUse {
  readonly type: ContentType;
  /** `find`, `create`, … */
  readonly action: string;
  readonly model: ContentModel;
}

/** `where`, or what is wrong with the preset. */
export type ExpandedPreset = { readonly where: JsonObject } | { readonly problem: string };

/** `{"preset": "owner", "attribute": "author"}` → `{"author": {"id": {"$eq": "$user.id"}}}` */
export function expandPreset(preset: Preset, use: PresetUse): ExpandedPreset {
  switch (preset.preset) {
    case 'owner':
      return owner(preset, use);
    case 'tenant':
      return tenant(preset, use);
    case 'published-only':
      return publishedOnly(use);
    case 'drafts-only':
      return draftsOnly(use);
    default:
      return preset.preset satisfies never;
  }
}

const integers: ReadonlySet<ScalarType> = new Set<ScalarType>(['integer', 'biginteger']);
const texts: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'text', 'uid']);

const equals = (value: string) => ({ $eq: `$user.${value}` });

function owner({ attribute: name = '' }: Preset, { type }: PresetUse): ExpandedPreset {
  const attribute = type.attributes.get(name);
  if (attribute === undefined) return unknownAttribute(name, type);
  if (attribute.kind === 'relation' && attribute.target === userUid) return { where: { [name]: { id: equals('id') } } };
  const isOwn = attribute.kind === 'scalar' && !attribute.system;
  if (isOwn && integers.has(attribute.type)) return { where: { [name]: equals('id') } };
  if (isOwn && texts.has(attribute.type)) return { where: { [name]: equals('documentId') } };
  return {
    problem: `owner needs a relation to users, an integer with the user's id, or a text with the user's documentId, and ${name} is none of them`,
  };
}

function tenant({ attribute: name = '', user: userName = name }: Preset, { type, model }: PresetUse): ExpandedPreset {
  const attribute = type.attributes.get(name);
  if (attribute === undefined) return unknownAttribute(name, type);
  const ofUser = model.contentTypes.get(userUid)?.attributes.get(userName);
  if (ofUser?.kind === 'relation') return { problem: relationOfUser(attribute, ofUser) };
  if (!isUserValue(ofUser)) {
    return { problem: `users have no attribute ${userName} that conditions can compare with; "user" names another one` };
  }
  if (attribute.kind === 'scalar' && !attribute.system) return { where: { [name]: equals(userName) } };
  if (attribute.kind === 'relation' && attribute.target !== undefined && texts.has(ofUser.type)) {
    return { where: { [name]: { documentId: equals(userName) } } };
  }
  return {
    problem: `tenant compares ${name} with $user.${userName}: ${name} has to be a value, or a relation to one type whose documentId users have as a text`,
  };
}

/** Callers are identified without their relations, which would have to be read for each caller, and
 *  again whenever a link changes. */
function relationOfUser(attribute: Attribute, ofUser: RelationAttribute): string {
  const inverse = ofUser.inversedBy ?? ofUser.mappedBy;
  const isShared = attribute.kind === 'relation' && attribute.target === ofUser.target && inverse !== undefined;
  const where = isShared ? JSON.stringify({ [attribute.name]: { [inverse]: { id: equals('id') } } }) : undefined;
  const instead = where === undefined ? '' : `; or write "where": ${where}, with which create needs the value in the body`;
  return `${ofUser.name} is a relation of users, and tenant compares with values of users: give users a text with the documentId, and name it as "user"${instead}`;
}

const readActions: ReadonlySet<string> = new Set(['find', 'findOne']);

function publishedOnly({ type, action }: PresetUse): ExpandedPreset {
  if (!readActions.has(action)) return { problem: `published-only is about reading; it restricts find and findOne, not ${action}` };
  if (!type.draftAndPublish) return { problem: `${type.uid} has no drafts, so published-only would restrict nothing` };
  return { where: { publishedAt: { $notNull: true } } };
}

const writeActions: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

function draftsOnly({ type, action }: PresetUse): ExpandedPreset {
  if (!writeActions.has(action)) return { problem: `drafts-only is about writing; it restricts create, update and delete, not ${action}` };
  if (!type.draftAndPublish) return { problem: `${type.uid} has no drafts, so drafts-only would allow nothing` };
  return { where: { publishedAt: { $null: true } } };
}

const unknownAttribute = (name: string, { uid, attributes }: ContentType): ExpandedPreset => ({
  problem:
    name === ''
      ? `"attribute" has to name an attribute of ${uid}`
      : `${JSON.stringify(name)} is not an attribute of ${uid}${orMeant(name, [...attributes.keys()])}`,
});
