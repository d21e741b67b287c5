/** `search`: the attributes of each content type that full-text search reads, with their weights. */
import { isObject } from '../text/json.ts';
import type { JsonShape } from './setting.ts';

/** Weights by attribute. */
export type SearchedAttributes = Readonly<Record<string, number>>;
export type SearchByType = Readonly<Record<string, SearchedAttributes>>;

const greatestWeight = 100;
const mostAttributes = 32;

const isWeight = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= greatestWeight;

const areAttributes = (value: unknown): value is SearchedAttributes =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).length <= mostAttributes && Object.values(value).every(isWeight);

const isSearchByType = (value: unknown): value is SearchByType => isObject(value) && Object.values(value).every(areAttributes);

export const searchByType: JsonShape<SearchByType> = {
  shape: `an object (JSON in a variable) of uids of content types, each with an object of at most ${mostAttributes} attributes and their weights, whole numbers from 1 to ${greatestWeight}: {"api::article.article": {"title": 4, "body": 1}}`,
  fallback: {},
  read: (value) => (isSearchByType(value) ? value : undefined),
};
