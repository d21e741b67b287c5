/** `selections`: what a query names with `selection=card`, by content type or component. */
import { isObject } from '../text/json.ts';
import type { OptionValue, PopulateOptions } from './default-populate.ts';
import type { JsonShape } from './setting.ts';

export type SelectionsByType = Readonly<Record<string, Readonly<Record<string, PopulateOptions>>>>;

/** A name that needs no encoding in a URL. */
const name = /^[A-Za-z][\w-]{0,49}$/;
const isSelection = (value: unknown): value is Readonly<Record<string, OptionValue>> =>
  isObject(value) && Object.keys(value).every((key) => key === 'fields' || key === 'populate' || key === 'selection');
const areSelections = (value: unknown): value is SelectionsByType[string] =>
  isObject(value) && Object.entries(value).every(([key, each]) => name.test(key) && isSelection(each));
const isByType = (value: unknown): value is SelectionsByType => isObject(value) && Object.values(value).every(areSelections);

export const selectionsByType: JsonShape<SelectionsByType> = {
  shape:
    'an object (JSON in a variable) of uids of content types and components, each with an object of names (letters, digits, - and _), and each of these with fields, populate and selection, such as {"card": {"fields": ["title"], "populate": {"author": {"fields": ["name"]}}}}',
  fallback: {},
  read: (value) => (isByType(value) ? value : undefined),
};
