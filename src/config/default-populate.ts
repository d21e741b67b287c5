/** `populate`: what reads of a content type populate when the query does not say. */
import { isObject } from '../text/json.ts';
import type { JsonShape } from './setting.ts';

/** A value of the parameter `populate`, as JSON: what `qs` would make of the query. */
export type PopulateValue = string | readonly string[] | PopulateOptions;
export interface PopulateOptions {
  readonly [key: string]: OptionValue;
}
export type OptionValue = string | number | boolean | null | readonly OptionValue[] | PopulateOptions;

export type PopulateByType = Readonly<Record<string, PopulateValue>>;

const isPopulateValue = (value: unknown): value is PopulateValue =>
  typeof value === 'string' || isObject(value) || (Array.isArray(value) && value.every((name) => typeof name === 'string'));

const isPopulateByType = (value: unknown): value is PopulateByType => isObject(value) && Object.values(value).every(isPopulateValue);

export const populateByType: JsonShape<PopulateByType> = {
  shape:
    'an object (JSON in a variable) of uids of content types, each with "deep" or a value of the parameter populate: "*", names, or an object such as {"author": {"populate": "avatar"}}',
  fallback: {},
  read: (value) => (isPopulateByType(value) ? value : undefined),
};
