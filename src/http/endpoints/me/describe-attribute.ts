import type { Attribute, ScalarAttribute, Schema } from '../../../model/content-model.ts';
import { isSystemAttribute } from '../../../model/system-attributes.ts';
import type { Visible } from '../../../rights/visible.ts';
import { labelOfName } from '../../../text/label-of-name.ts';
import type { DescribedAttribute } from './described-me.ts';

export type Access = Pick<DescribedAttribute, 'canRead' | 'canCreate' | 'canUpdate'>;

export function describeAttribute(attribute: Attribute, schema: Schema, access: Access, visible: Visible): DescribedAttribute {
  const { name, description, lectern, localized, required } = attribute;
  const { label = labelOfName(name), ...presentation } = lectern ?? {};
  return {
    name,
    type: attribute.kind === 'scalar' ? attribute.type : attribute.kind,
    label,
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(presentation).length === 0 ? {} : { lectern: presentation }),
    ...access,
    required,
    unique: attribute.kind === 'scalar' && attribute.unique,
    localized,
    hasColumn: attribute.kind === 'scalar' && attribute.type !== 'password',
    isSystem: isSystemAttribute(schema, attribute),
    ...ofKind(attribute, visible),
  };
}

function ofKind(attribute: Attribute, visible: Visible): Partial<DescribedAttribute> {
  switch (attribute.kind) {
    case 'scalar':
      return ofScalar(attribute);
    case 'relation': {
      const target = visible.target(attribute)?.uid;
      return {
        relation: attribute.relation,
        isMany: attribute.cardinality === 'many',
        ...(target === undefined ? {} : { target }),
      };
    }
    case 'media':
      return {
        target: attribute.target,
        isMany: attribute.cardinality === 'many',
        ...(attribute.allowedTypes === undefined ? {} : { allowedTypes: attribute.allowedTypes }),
      };
    case 'component':
      return { component: attribute.component, isMany: attribute.cardinality === 'many', ...bounds(attribute) };
    case 'dynamiczone':
      return { components: attribute.components, isMany: true, ...bounds(attribute) };
  }
}

const bounds = ({ min, max }: { readonly min: number | undefined; readonly max: number | undefined }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

const rules = ['min', 'max', 'minLength', 'maxLength', 'regex', 'targetField'] as const;

function ofScalar({ type, options, enumValues, customField }: ScalarAttribute): Partial<DescribedAttribute> {
  const names = type === 'password' ? rules : (['default', ...rules] as const);
  const written = names.flatMap((name) => (options[name] === undefined || options[name] === null ? [] : [[name, options[name]] as const]));
  return {
    ...Object.fromEntries(written),
    ...(enumValues === undefined ? {} : { enum: enumValues }),
    ...(customField === undefined ? {} : { customField }),
  };
}
