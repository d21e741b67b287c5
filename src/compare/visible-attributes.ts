/** What of a schema generated requests may name. */
import type { Attribute, ContentModel, ScalarAttribute, Schema } from '../model/content-model.ts';

export const scalarsOf = (schema: Schema): readonly ScalarAttribute[] =>
  visibleOf(schema).filter((each): each is ScalarAttribute => each.kind === 'scalar');

/** Attributes that lead to other rows. */
export const linksOf = (schema: Schema): readonly Exclude<Attribute, ScalarAttribute>[] =>
  visibleOf(schema).filter((each): each is Exclude<Attribute, ScalarAttribute> => each.kind !== 'scalar');

/** The schema that an attribute leads to; undefined where each row names its own, and for types
 *  without endpoints. */
export function targetOf(attribute: Exclude<Attribute, ScalarAttribute>, model: ContentModel): Schema | undefined {
  switch (attribute.kind) {
    case 'component':
      return model.components.get(attribute.component);
    case 'dynamiczone':
      return undefined;
    case 'media':
      return model.contentTypes.get(attribute.target);
    case 'relation': {
      const target = attribute.target === undefined ? undefined : model.contentTypes.get(attribute.target);
      return target?.routed === true ? target : undefined;
    }
    default:
      return attribute satisfies never;
  }
}

const visibleOf = (schema: Schema): readonly Attribute[] =>
  [...schema.attributes.values()].filter((each) => !each.private && !(each.kind === 'scalar' && each.type === 'password'));
