/** The query that reads a document with all that its form shows. */
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';
import type { ComponentOf } from './values.ts';

export type TypeOf = (uid: string | undefined) => DescribedType | undefined;

interface Model {
  readonly typeOf: TypeOf;
  readonly componentOf: ComponentOf;
}

/** `fields[0]=title&populate[tags][fields][0]=name&…` */
export function documentQuery(
  type: DescribedType,
  model: Model,
  scope: Readonly<Record<string, string | undefined>>,
  /** Whether lists of links are counted and not read. */
  countsLinks = false,
): string {
  const parts = Object.entries(scope).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  return [...parts, ...fieldsOf(type.attributes, ''), ...populateOf(type.attributes, 'populate', { ...model, countsLinks }, [])].join('&');
}

export const isScalar = ({ type }: DescribedAttribute) => !['relation', 'media', 'component', 'dynamiczone'].includes(type);

const maxListed = 100;

function fieldsOf(attributes: readonly DescribedAttribute[], prefix: string): string[] {
  const names = attributes.filter((each) => each.canRead && isScalar(each)).map(({ name }) => name);
  const parameter = prefix === '' ? 'fields' : `${prefix}[fields]`;
  // The server takes lists of this length (limits.listValues).
  if (names.length > maxListed) return [`${parameter}[0]=*`];
  return (names.length === 0 ? ['id'] : names).map((name, index) => `${parameter}[${index}]=${name}`);
}

/** `within`: the components that lead here, so that one that contains itself ends. */
function populateOf(
  attributes: readonly DescribedAttribute[],
  prefix: string,
  model: Model & { readonly countsLinks: boolean },
  within: readonly string[],
): string[] {
  const inside = (uid: string, path: string): string[] => {
    if (within.includes(uid)) return [`${path}[fields][0]=id`];
    const found = model.componentOf(uid)?.attributes ?? [];
    return [...fieldsOf(found, path), ...populateOf(found, `${path}[populate]`, model, [...within, uid])];
  };
  return attributes
    .filter(({ canRead, name }) => canRead && name !== 'localizations')
    .flatMap((attribute): string[] => {
      const path = `${prefix}[${attribute.name}]`;
      switch (attribute.type) {
        case 'relation': {
          const target = model.typeOf(attribute.target);
          if (model.countsLinks && attribute.isMany === true && attribute.target !== undefined) return [`${path}[count]=true`];
          if (attribute.target === undefined || target === undefined) return [`${path}=true`];
          return [...new Set(['documentId', ...titleFields(target)])].map((name, index) => `${path}[fields][${index}]=${name}`);
        }
        case 'media':
          return [`${path}=true`];
        case 'component':
          return inside(attribute.component ?? '', path);
        case 'dynamiczone':
          return (attribute.components ?? []).flatMap((uid) => inside(uid, `${path}[on][${uid}]`));
        default:
          return [];
      }
    });
}

/** What names a linked document, and says which version of it is meant. */
function titleFields({ title, localized }: DescribedType): readonly string[] {
  return [...(title === undefined ? [] : [title]), ...(localized ? ['locale'] : [])];
}
