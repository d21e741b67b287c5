/** What is sent of the values of a form: what has changed. Pure. */
import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';
import { linksOf } from './links.ts';
import { type ComponentOf, isEmpty, isRecord, isSame, listOf, type Values } from './values.ts';

/** What a body says for an attribute, whose value was `before`. */
export function bodyOf(attribute: DescribedAttribute, value: unknown, before: unknown, componentOf: ComponentOf): unknown {
  switch (attribute.type) {
    case 'relation':
      return linksOf(attribute, value, before);
    case 'media':
      return attribute.isMany === true ? listOf(value).map(rowId) : isEmpty(value) ? null : rowId(value);
    case 'component':
      if (attribute.isMany !== true) return isEmpty(value) ? null : entryOf(attribute.component, value, before, componentOf);
      return listOf(value).map((each) => entryOf(attribute.component, each, sameEntry(each, before), componentOf));
    case 'dynamiczone':
      return listOf(value).map((each) => {
        const uid = isRecord(each) ? String(each.__component) : '';
        return { __component: uid, ...entryOf(uid, each, sameEntry(each, before), componentOf) };
      });
    default:
      // An emptied control has no value.
      return value === '' && attribute.type !== 'string' && attribute.type !== 'text' && attribute.type !== 'richtext'
        ? null
        : (value ?? null);
  }
}

const rowId = (value: unknown): unknown => (isRecord(value) ? value.id : value);

/** The stored entry that this one was. */
function sameEntry(entry: unknown, before: unknown): unknown {
  if (!isRecord(entry) || entry.id === undefined) return undefined;
  const isThis = (each: unknown) => isRecord(each) && each.id === entry.id && each.__component === entry.__component;
  return listOf(before).find(isThis);
}

/** A stored entry keeps what the body does not name. */
function entryOf(uid: string | undefined, value: unknown, before: unknown, componentOf: ComponentOf): Values {
  if (!isRecord(value)) return {};
  const stored = isRecord(before) && before.id === value.id && value.id !== undefined ? before : undefined;
  const named = (componentOf(uid ?? '')?.attributes ?? []).filter(
    (each) =>
      each.canUpdate &&
      each.name in value &&
      (stored === undefined ? !isEmpty(value[each.name]) : !isSame(each, value[each.name], stored[each.name], componentOf)),
  );
  return {
    ...(stored === undefined ? {} : { id: value.id }),
    ...Object.fromEntries(named.map((each) => [each.name, bodyOf(each, value[each.name], stored?.[each.name], componentOf)])),
  };
}
