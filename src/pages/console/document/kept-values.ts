/** What the browser keeps of a form. Pure. */
import type { DescribedType } from '../../../http/endpoints/me/described-me.ts';
import type { TypedValues } from './combine-work.ts';
import type { Values } from './values.ts';

/** The changes and what they were made to, without passwords: these are kept nowhere. */
export function keptOf({ attributes }: Pick<DescribedType, 'attributes'>, changes: Values, stored: Values): TypedValues {
  const names = attributes.filter(({ name, type }) => name in changes && type !== 'password').map(({ name }) => name);
  return {
    changes: Object.fromEntries(names.map((name) => [name, changes[name]])),
    base: Object.fromEntries(names.map((name) => [name, stored[name]])),
  };
}
