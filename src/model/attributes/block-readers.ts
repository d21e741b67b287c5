/** The parts that the description of blocks is put together from. Each reads one value, casts it as yup does, and reports what is wrong
 *  with it; an absent value is undefined. Source: yup 0.32. */

import { mostProblems } from '../../errors/most-problems.ts';
import { isObject as isAnyObject, type JsonObject } from '../../text/json.ts';
import type { ValueProblem } from './attribute-type.ts';
import { problem, toBoolean, toNumber, toText, wrongType } from './cast.ts';
import { isLosslessNumber, nestsTooDeeply } from './lossless.ts';

/** Returns the value after the cast. What it returns for a value with problems is not used. */
export type Reader = (value: unknown, place: Place) => unknown;

/** Where a value stands inside the attribute's, and the list of what is wrong anywhere in that. */
export class Place {
  readonly problems: ValueProblem[];
  readonly #parent: Place | undefined;
  readonly #key: string | number;

  constructor(problems: ValueProblem[] = [], parent?: Place, key: string | number = '') {
    this.problems = problems;
    this.#parent = parent;
    this.#key = key;
  }

  /** Nothing further is reported, so nothing further need be read. */
  get isFull(): boolean {
    return this.problems.length >= mostProblems;
  }

  at(key: string | number): Place {
    return new Place(this.problems, this, key);
  }

  report(problem: ValueProblem): void {
    if (!this.isFull) this.problems.push({ ...problem, path: this.#path() });
  }

  /** Put together where it is needed: lists nest a thousand deep, and most values are as they should be. */
  #path(): string[] {
    const path: string[] = [];
    for (let place: Place = this; place.#parent !== undefined; place = place.#parent) path.push(String(place.#key));
    return path.reverse();
  }
}

const requiredField = (value?: unknown) => problem('{path} is a required field', value);
const notOneOf = (values: readonly unknown[], value: unknown) =>
  problem(`{path} must be one of the following values: ${values.join(', ')}`, value);

const optionalText: Reader = (value, place) => {
  const text = toText(value);
  if (text !== undefined && typeof text !== 'string') place.report(wrongType('string', text, value));
  return text;
};

/** Never empty. */
export const requiredText: Reader = (value, place) => {
  const text = optionalText(value, place);
  if (text === undefined || text === '') place.report(requiredField(text));
  return text;
};

export const nullableText: Reader = (value, place) => (value === null ? null : optionalText(value, place));

export const oneOfTexts =
  (...values: readonly string[]): Reader =>
  (value, place) => {
    const text = optionalText(value, place);
    if (text === undefined) place.report(requiredField());
    else if (typeof text !== 'string' || !values.includes(text)) place.report(notOneOf(values, text));
    return text;
  };

/** `check` is asked about absent texts as well. */
export const checkedText =
  (check: (text: string | undefined) => boolean, message: string): Reader =>
  (value, place) => {
    const text = optionalText(value, place);
    if ((text === undefined || typeof text === 'string') && !check(text)) place.report(problem(message, text));
    return text;
  };

export const requiredNumber: Reader = (value, place) => {
  const number = value === undefined ? undefined : toNumber(value);
  if (number === undefined) place.report(requiredField());
  else if (Number.isNaN(number)) place.report(wrongType('number', number, value));
  return number;
};

export const oneOfNumbers =
  (...values: readonly number[]): Reader =>
  (value, place) => {
    const number = requiredNumber(value, place);
    if (typeof number === 'number' && !values.includes(number)) place.report(notOneOf(values, number));
    return number;
  };

export const optionalBoolean: Reader = (value, place) => {
  const flag = toBoolean(value);
  if (flag === undefined && value !== undefined) place.report(wrongType('boolean', value, value));
  return flag;
};

/** Anything but an object becomes null. */
export const nullableObject: Reader = (value) => (value === undefined ? undefined : toObject(value));

/** Other keys than those of the shape stay as they are. An absent object is one without keys. */
export const object =
  (shape: Readonly<Record<string, Reader>>): Reader =>
  (value, place) => {
    const given = value === undefined ? {} : toObject(value);
    if (given === null) return place.report(wrongType('object', null, value));
    const result: Record<string, unknown> = { ...given };
    for (const [key, read] of Object.entries(shape)) {
      const member = read(given[key], place.at(key));
      if (member !== undefined) result[key] = member;
    }
    return result;
  };

/** `empty` is the message for a list without items, where there has to be one. */
export const listOf =
  (item: Reader, empty?: string): Reader =>
  (value, place) => {
    if (value === undefined) return place.report(requiredField());
    const items = toList(value);
    if (items === null) return place.report(wrongType('array', null, value));
    if (items.length === 0 && empty !== undefined) place.report(problem(empty, items));
    return items.map((each, index) => (place.isFull ? each : item(each, place.at(index))));
  };

/** Objects whose `type` says how they are read. */
export const byType =
  (readers: Readonly<Record<string, Reader>>, message: string): Reader =>
  (value, place) => {
    const type = isObject(value) ? value.type : undefined;
    const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
    return read === undefined ? place.report(problem(message, value)) : read(value, place);
  };

/** A number that JavaScript cannot hold is an object here, and none in the body. */
const isObject = (value: unknown): value is JsonObject => isAnyObject(value) && !isLosslessNumber(value);

function toObject(value: unknown): JsonObject | null {
  const object = typeof value === 'string' ? parsed(value) : value;
  return isObject(object) ? object : null;
}

export function toList(value: unknown): readonly unknown[] | null {
  const list = typeof value === 'string' ? parsed(value) : value;
  return Array.isArray(list) ? list : null;
}

/** Null for what is no JSON, and for what the readers, which are recursive, might not get to the end of. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return nestsTooDeeply(value) ? null : value;
  } catch {
    return null;
  }
}
