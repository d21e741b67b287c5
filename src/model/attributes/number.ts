/** integer, float and decimal. */
import type { ScalarAttribute } from '../content-model.ts';
import { type AttributeType, accepted, type BodyRules, invalid, refused, type ValueProblem, valid } from './attribute-type.ts';
import { problem, toNumber, wrongType } from './cast.ts';
import { notANumberHelp } from './required.ts';

/** The schema's `min` or `max`, which is a number or the text of one. */
function bound(option: unknown): number | undefined {
  const number = option === undefined || option === null ? Number.NaN : Number(option);
  return Number.isFinite(number) ? number : undefined;
}

const tooSmall = (value: number, min: number): ValueProblem => problem(`{path} must be greater than or equal to ${min}`, value);
const tooLarge = (value: number, max: number): ValueProblem => problem(`{path} must be less than or equal to ${max}`, value);

function outOfBounds(value: number, { options }: ScalarAttribute, { strict }: BodyRules, read: (option: unknown) => number | undefined) {
  const problems: ValueProblem[] = [];
  const min = strict ? read(options.min) : undefined;
  const max = read(options.max);
  if (min !== undefined && value < min) problems.push(tooSmall(value, min));
  if (max !== undefined && value > max) problems.push(tooLarge(value, max));
  return problems;
}

function numberType(problemsOf: (value: number, attribute: ScalarAttribute, rules: BodyRules) => readonly ValueProblem[]): AttributeType {
  return {
    search: 'number',
    textual: false,
    // Accepts what `Number` accepts, as Strapi does (`1e1`, `0x10`, surrounding white space).
    parseFilter(text) {
      const trimmed = text.trim();
      const value = Number(trimmed);
      return trimmed === '' || !Number.isFinite(value) ? invalid('Invalid format, expected a number') : valid(value);
    },
    write(stored, output) {
      // Numeric columns are read as text (`12.50`). A value that is not a number was written by
      // another program, and is returned as it is.
      const value = Number(stored);
      if (Number.isFinite(value)) output.json(String(value));
      else if (typeof stored === 'number') output.json('null');
      else output.text(String(stored));
    },
    readBody(value, attribute, rules) {
      const number = toNumber(value);
      if (Number.isNaN(number)) return refused({ ...wrongType('number', number, value), help: notANumberHelp(attribute.type, value) });
      const problems = problemsOf(number, attribute, rules);
      return problems.length === 0 ? accepted(number) : refused(...problems);
    },
    fromSelected(selected) {
      const value = Number(selected);
      return Number.isFinite(value) ? value : null;
    },
  };
}

/** float and decimal. */
export const decimalAttribute = numberType((value, attribute, rules) => {
  const problems = outOfBounds(value, attribute, rules, bound);
  return Number.isFinite(value) ? problems : [problem('{path} must be a finite number', value), ...problems];
});

function integerBound(option: unknown): number | undefined {
  const value = bound(option);
  return value === undefined ? undefined : value - (value % 1);
}

export const integerAttribute = numberType((value, attribute, rules) => {
  const problems = outOfBounds(value, attribute, rules, integerBound);
  if (!Number.isInteger(value)) return [problem('{path} must be an integer', value), ...problems];
  if (problems.length > 0 || Number.isSafeInteger(value)) return problems;
  // Beyond 2^53, JavaScript cannot represent every integer: another one would be stored.
  return [value < 0 ? tooSmall(value, Number.MIN_SAFE_INTEGER) : tooLarge(value, Number.MAX_SAFE_INTEGER)];
});
