import type { Config } from '../../../config/config.ts';
import { userUid } from '../../../model/built-in-types.ts';
import type { Attribute, ContentModel, ContentType, Schema, Uid } from '../../../model/content-model.ts';
import type { Rights } from '../../../rights/rights.ts';
import { Visible } from '../../../rights/visible.ts';
import type { DescribedAttribute, DescribedModel, DescribedRoot, DescribedSchema } from './described-model.ts';

/** Describes what a caller with these rights may read, as the OpenAPI document does (`Visible`). */
export function describeModel(
  { model, config, development }: { readonly model: ContentModel; readonly config: Config; readonly development: boolean },
  rights: Rights,
): DescribedModel {
  const visible = new Visible(model, config, rights);
  const schemas: Record<Uid, DescribedSchema> = {};
  const waiting: Schema[] = [];
  const described = new Set<Uid>();
  /** Notes a schema to be described, once. */
  const reach = (schema: Schema): Uid => {
    if (!described.has(schema.uid)) {
      described.add(schema.uid);
      waiting.push(schema);
    }
    return schema.uid;
  };

  function attributeOf(attribute: Attribute): DescribedAttribute {
    const { name } = attribute;
    switch (attribute.kind) {
      case 'scalar':
        return {
          name,
          kind: 'scalar',
          type: attribute.type,
          ...(attribute.enumValues === undefined ? {} : { enum: attribute.enumValues }),
        };
      case 'dynamiczone':
        return { name, kind: 'dynamiczone', components: attribute.components.flatMap((uid) => reachUid(uid)) };
      case 'component':
      case 'media':
      case 'relation': {
        const isMany = attribute.cardinality === 'many';
        const target = visible.target(attribute);
        return { name, kind: attribute.kind, isMany, ...(target === undefined ? {} : { target: reach(target) }) };
      }
      default:
        return attribute satisfies never;
    }
  }

  const reachUid = (uid: Uid): Uid[] => {
    const schema = model.components.get(uid);
    return schema === undefined ? [] : [reach(schema)];
  };

  const roots = [...model.contentTypes.values()]
    .filter((type) => type.routed)
    .flatMap((type): DescribedRoot[] => {
      const root = rootOf(type, rights, config);
      if (root === undefined) return [];
      reach(type);
      return [root];
    })
    .sort((a, b) => a.path.localeCompare(b.path, 'en'));
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    schemas[schema.uid] = { displayName: schema.displayName, attributes: visible.attributes(schema).map(attributeOf) };
  }
  return {
    prefix: config.api.prefix,
    roots,
    schemas,
    mayListLocales: rights.allows('plugin::i18n.locales.listLocales'),
    canSignIn: model.contentTypes.has(userUid),
    development,
  };
}

function rootOf(type: ContentType, rights: Rights, { api, policies }: Config): DescribedRoot | undefined {
  const isSingle = type.kind === 'singleType';
  const mayFind = rights.allows(`${type.uid}.find`);
  const mayFindOne = !isSingle && rights.allows(`${type.uid}.findOne`);
  if (!mayFind && !mayFindOne) return undefined;
  return {
    uid: type.uid,
    path: `${api.prefix}/${isSingle ? type.singularName : type.pluralName}`,
    isSingle,
    mayFind,
    mayFindOne,
    hasLocales: type.localized,
    hasDrafts: type.draftAndPublish && (!policies.draftsNeedRight || rights.allows(`${type.uid}.findDraft`)),
  };
}
