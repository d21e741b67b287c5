/** The readers that describe blocks. Each reads one value, casts it as yup does, and reports its
 *  problems; an absent value is undefined. Source: yup 0.32. */

import { maxProblems } from '../../errors/error-body.ts';
import { isObject as isAnyObject, type JsonObject } from '../../text/json.ts';
import type { ValueProblem } from './attribute-type.ts';
import { problem, toBoolean, toNumber, toText, wrongType } from './cast.ts';
import { isLosslessNumber, nestsTooDeeply } from './lossless.ts';

/** Returns the value after the cast. The result for a value with problems is not used. */
export type BlockReader = (value: unknown, position: BlockPosition) => unknown;

/** A value's position inside the attribute's value, and all problems of the attribute's value. */
export class BlockPosition {
  readonly problems: ValueProblem[];
  readonly #parent: BlockPosition | undefined;
  readonly #key: string | number;

  constructor(problems: ValueProblem[] = [], parent?: BlockPosition, key: string | number = '') {
    this.problems = problems;
    this.#parent = parent;
    this.#key = key;
  }

  /** Whether the list of problems is full; then nothing more needs to be read. */
  get isFull(): boolean {
    return this.problems.length >= maxProblems;
  }

  at(key: string | number): BlockPosition {
    return new BlockPosition(this.problems, this, key);
  }

  report(problem: ValueProblem): void {
    if (!this.isFull) this.problems.push({ ...problem, path: this.#path() });
  }

  /** Computed only for a problem: lists may nest a thousand deep, and most values are valid. */
  #path(): string[] {
    const path: string[] = [];
    for (let position: BlockPosition = this; position.#parent !== undefined; position = position.#parent) path.push(String(position.#key));
    return path.reverse();
  }
}

const requiredField = (value?: unknown) => problem('{path} is a required field', value);
const notOneOf = (values: readonly unknown[], value: unknown) =>
  problem(`{path} must be one of the following values: ${values.join(', ')}`, value);

const optionalText: BlockReader = (value, position) => {
  const text = toText(value);
  if (text !== undefined && typeof text !== 'string') position.report(wrongType('string', text, value));
  return text;
};

/** A text that must be there and not be empty. */
export const requiredText: BlockReader = (value, position) => {
  const text = optionalText(value, position);
  if (text === undefined || text === '') position.report(requiredField(text));
  return text;
};

export const nullableText: BlockReader = (value, position) => (value === null ? null : optionalText(value, position));

export const oneOfTexts =
  (...values: readonly string[]): BlockReader =>
  (value, position) => {
    const text = optionalText(value, position);
    if (text === undefined) position.report(requiredField());
    else if (typeof text !== 'string' || !values.includes(text)) position.report(notOneOf(values, text));
    return text;
  };

/** A text for which `check` is true. Absent texts are checked as well. */
export const checkedText =
  (check: (text: string | undefined) => boolean, message: string): BlockReader =>
  (value, position) => {
    const text = optionalText(value, position);
    if ((text === undefined || typeof text === 'string') && !check(text)) position.report(problem(message, text));
    return text;
  };

export const requiredNumber: BlockReader = (value, position) => {
  const number = value === undefined ? undefined : toNumber(value);
  if (number === undefined) position.report(requiredField());
  else if (Number.isNaN(number)) position.report(wrongType('number', number, value));
  return number;
};

export const nullableNumber: BlockReader = (value, position) =>
  value === undefined || value === null ? value : requiredNumber(value, position);

export const oneOfNumbers =
  (...values: readonly number[]): BlockReader =>
  (value, position) => {
    const number = requiredNumber(value, position);
    if (typeof number === 'number' && !values.includes(number)) position.report(notOneOf(values, number));
    return number;
  };

export const optionalBoolean: BlockReader = (value, position) => {
  const flag = toBoolean(value);
  if (flag === undefined && value !== undefined) position.report(wrongType('boolean', value, value));
  return flag;
};

/** An object; any other value becomes null. */
export const nullableObject: BlockReader = (value) => (value === undefined ? undefined : toObject(value));

/** An object with the keys of `shape`; keeps other keys. An absent object is an empty one. */
export const object =
  (shape: Readonly<Record<string, BlockReader>>): BlockReader =>
  (value, position) => {
    const input = value === undefined ? {} : toObject(value);
    if (input === null) return position.report(wrongType('object', null, value));
    const result: Record<string, unknown> = { ...input };
    for (const [key, read] of Object.entries(shape)) {
      const member = read(input[key], position.at(key));
      if (member !== undefined) result[key] = member;
    }
    return result;
  };

/** A list of items. `empty` is the message for an empty list, if the list needs an item. */
export const listOf =
  (item: BlockReader, empty?: string): BlockReader =>
  (value, position) => {
    if (value === undefined) return position.report(requiredField());
    const items = toList(value);
    if (items === null) return position.report(wrongType('array', null, value));
    if (items.length === 0 && empty !== undefined) position.report(problem(empty, items));
    return items.map((each, index) => (position.isFull ? each : item(each, position.at(index))));
  };

/** An object that is read by the reader for its `type`. */
export const byType =
  (readers: Readonly<Record<string, BlockReader>>, message: string): BlockReader =>
  (value, position) => {
    const type = isObject(value) ? value.type : undefined;
    const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
    return read === undefined ? position.report(problem(message, value)) : read(value, position);
  };

/** A number that JavaScript would round is an object here, but a number in the body. */
const isObject = (value: unknown): value is JsonObject => isAnyObject(value) && !isLosslessNumber(value);

function toObject(value: unknown): JsonObject | null {
  const object = typeof value === 'string' ? parsed(value) : value;
  return isObject(object) ? object : null;
}

export function toList(value: unknown): readonly unknown[] | null {
  const list = typeof value === 'string' ? parsed(value) : value;
  return Array.isArray(list) ? list : null;
}

/** The value of a JSON text; null if it is no JSON, or nested too deeply for recursive readers. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return nestsTooDeeply(value) ? null : value;
  } catch {
    return null;
  }
}
