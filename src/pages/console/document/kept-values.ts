/** What the browser keeps of a form, and what of that can become a new document. Pure. */
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';
import type { TypedValues } from './combine-work.ts';
import { type ComponentOf, copyOf, defaultsOf, isRecord, isSame, type Values } from './values.ts';

/** The changes and what they were made to, without passwords: these are kept nowhere. */
export function keptOf(
  { attributes }: Pick<DescribedType, 'attributes'>,
  changes: Values,
  stored: Values,
  componentOf: ComponentOf,
): TypedValues {
  const changed = attributes.filter(({ name, type }) => name in changes && type !== 'password');
  const kept = changed.flatMap((each) => {
    const [value, base] = [changes[each.name], stored[each.name]].map((one) => withoutPasswords(each, one, componentOf));
    // Nothing but a password was typed.
    return isSame(each, value, base, componentOf) ? [] : [{ name: each.name, value, base }];
  });
  return {
    changes: Object.fromEntries(kept.map(({ name, value }) => [name, value])),
    base: Object.fromEntries(kept.map(({ name, base }) => [name, base])),
  };
}

function withoutPasswords(attribute: DescribedAttribute, value: unknown, componentOf: ComponentOf): unknown {
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return value;
  if (Array.isArray(value)) return value.map((each) => withoutPasswords(attribute, each, componentOf));
  if (!isRecord(value)) return value;
  const inside = componentOf(attribute.component ?? String(value.__component))?.attributes ?? [];
  const attributeOf = (name: string) => inside.find((each) => each.name === name);
  const kept = Object.entries(value).filter(([name]) => attributeOf(name)?.type !== 'password');
  return Object.fromEntries(
    kept.map(([name, each]) => {
      const found = attributeOf(name);
      return [name, found === undefined ? each : withoutPasswords(found, each, componentOf)];
    }),
  );
}

/** The attributes that a new document can have of this work. */
const movable = (attributes: readonly DescribedAttribute[], changes: Values) =>
  attributes.filter(({ name, canCreate }) => canCreate && name in changes);

/** The names of the others. */
export function lostNames(attributes: readonly DescribedAttribute[], changes: Values): readonly string[] {
  const moved = new Set(movable(attributes, changes).map(({ name }) => name));
  return Object.keys(changes).filter((name) => !moved.has(name));
}

interface NewDocument {
  readonly componentOf: ComponentOf;
  readonly locale: string | undefined;
  /** The attribute that names the document. */
  readonly title: string | undefined;
}

/** The same work on a new document, whose form begins with the defaults. */
export function movedTo(
  attributes: readonly DescribedAttribute[],
  work: Pick<TypedValues, 'changes'> & { readonly title: string },
  { componentOf, locale, title }: NewDocument,
): TypedValues {
  const changes = { ...(title === undefined || work.title === '' ? {} : { [title]: work.title }), ...work.changes };
  const moved = movable(attributes, changes);
  const copied = moved.map((each) => [
    each.name,
    copyOf(each, withoutPasswords(each, changes[each.name], componentOf), componentOf, locale),
  ]);
  return { changes: Object.fromEntries(copied), base: defaultsOf(moved) };
}
