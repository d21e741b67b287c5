/** Components on the clipboard: as JSON, so that they can be pasted into another document, in
 *  another tab or browser. What is pasted is checked against the component: anything can be on a
 *  clipboard. Pure. */
import type { DescribedAttribute } from '../../../../http/endpoints/me/described-me.ts';
import { type ComponentOf, type ComponentValue, copyOfEntry, isRecord } from '../../document/values.ts';

interface Copied {
  readonly lectern: 'component';
  readonly uid: string;
  readonly value: ComponentValue;
}

/** Characters of a text that is read. */
const maxLength = 2_000_000;
const maxEntries = 1000;
const maxDepth = 20;

export function copiedText(uid: string, value: ComponentValue, componentOf: ComponentOf): string {
  const { __component: _, ...rest } = copyOfEntry(value, uid, componentOf);
  return JSON.stringify(
    { lectern: 'component', uid, value: rest } satisfies Copied,
    (key, each) => (key === '__key' ? undefined : each),
    2,
  );
}

/** The component in the text if it is one of `uids`; undefined for anything else. */
export function pastedComponent(
  text: string,
  uids: readonly string[],
  componentOf: ComponentOf,
  inZone: boolean,
): ComponentValue | undefined {
  if (text.length > maxLength) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(read) || read.lectern !== 'component' || typeof read.uid !== 'string' || !uids.includes(read.uid)) return undefined;
  const value = fitting(read.value, read.uid, componentOf, 0);
  if (value === undefined) return undefined;
  return inZone ? { ...value, __component: read.uid } : value;
}

/** The kind of a component that can be pasted. */
export const uidOfCopied = (text: string): string => (JSON.parse(text) as Copied).uid;

let nextKey = 1;

function fitting(value: unknown, uid: string, componentOf: ComponentOf, depth: number): ComponentValue | undefined {
  const component = componentOf(uid);
  if (component === undefined || !isRecord(value) || depth > maxDepth) return undefined;
  const values = component.attributes
    .filter(({ canCreate, name, type }) => canCreate && type !== 'password' && Object.hasOwn(value, name))
    .map((attribute) => [attribute.name, fittingValue(attribute, value[attribute.name], componentOf, depth)] as const)
    .filter(([, each]) => each !== undefined);
  return { __key: `p${nextKey++}`, ...Object.fromEntries(values) };
}

/** Undefined for what the attribute cannot have. */
function fittingValue(attribute: DescribedAttribute, value: unknown, componentOf: ComponentOf, depth: number): unknown {
  const { type, isMany = false } = attribute;
  if (value === null || value === undefined) return undefined;
  const each = (one: unknown): unknown => {
    switch (type) {
      case 'component':
        return fitting(one, attribute.component ?? '', componentOf, depth + 1);
      case 'dynamiczone': {
        const uid = isRecord(one) ? String(one.__component) : '';
        const found = attribute.components?.includes(uid) === true ? fitting(one, uid, componentOf, depth + 1) : undefined;
        return found === undefined ? undefined : { ...found, __component: uid };
      }
      case 'relation':
        return isRecord(one) && typeof one.documentId === 'string' ? one : undefined;
      case 'media':
        return isRecord(one) && typeof one.id === 'number' ? one : undefined;
      default:
        return typeof one === 'object' && type !== 'json' && type !== 'blocks' ? undefined : one;
    }
  };
  if (!['component', 'dynamiczone', 'relation', 'media'].includes(type) || !isMany)
    return Array.isArray(value) && type !== 'json' && type !== 'blocks' ? undefined : each(value);
  return Array.isArray(value)
    ? value
        .slice(0, maxEntries)
        .map(each)
        .filter((one) => one !== undefined)
    : undefined;
}
