/** `selection=card`: fields and population that the configuration names (`selections`). */
import { oncePer } from '../../collections.ts';
import type { Config } from '../../config/config.ts';
import type { OptionValue } from '../../config/default-populate.ts';
import type { QueryObject, QueryValue } from './query-string.ts';

type NamedSelections = ReadonlyMap<string, ReadonlyMap<string, QueryObject>>;

/** The selections of each schema, by its uid, as options of a query. */
export const namedSelections: (selections: Config['selections']) => NamedSelections = oncePer(
  (selections: Config['selections']) =>
    new Map(
      Object.entries(selections).map(([uid, ofType]) => [
        uid,
        new Map(Object.entries(ofType).map(([name, options]) => [name, queryValue(options) as QueryObject])),
      ]),
    ),
);

/** The same value with the words that a query has for numbers, true and false. */
export const queryValue = (value: OptionValue): QueryValue => {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(queryValue);
  if (typeof value !== 'object') return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, queryValue(each)]));
};
