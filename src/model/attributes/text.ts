/** string, text, richtext, email, uid, enumeration and password. */
import type { ScalarAttribute } from '../content-model.ts';
import { type AttributeType, accepted, type BodyRules, type BodyValue, refused, valid } from './attribute-type.ts';
import { problem, toText, wellFormed, wrongType } from './cast.ts';
import { isEmail } from './email.ts';

interface Check {
  readonly message: string;
  holds(text: string): boolean;
}

const atLeast = (length: number): Check => ({
  message: `{path} must be at least ${length} characters`,
  holds: (text) => text.length >= length,
});
const atMost = (length: number): Check => ({
  message: `{path} must be at most ${length} characters`,
  holds: (text) => text.length <= length,
});
const matching = (pattern: RegExp): Check => ({
  message: `{path} must match the following: "${pattern}"`,
  holds: (text) => pattern.test(text),
});
const emptyOr = (check: Check): Check => ({ ...check, holds: (text) => text === '' || check.holds(text) });

const lengthCheck = (option: unknown, check: (length: number) => Check): Check[] =>
  typeof option === 'number' && Number.isInteger(option) && option !== 0 ? [check(option)] : [];
const minimum = ({ options }: ScalarAttribute): Check[] => lengthCheck(options.minLength, atLeast);
const maximum = ({ options }: ScalarAttribute): Check[] => lengthCheck(options.maxLength, atMost);
function pattern({ options, required }: ScalarAttribute): Check[] {
  if (typeof options.regex !== 'string') return [];
  const check = matching(new RegExp(options.regex));
  return [required ? check : emptyOr(check)];
}

function textType(checksOf: (attribute: ScalarAttribute, rules: BodyRules) => readonly Check[]): AttributeType {
  return {
    search: 'text',
    textual: true,
    parseFilter: valid,
    write: (stored, output) => output.text(typeof stored === 'string' ? stored : String(stored)),
    readBody(value, attribute, rules) {
      if (typeof value !== 'string') return refused(wrongType('string', value, value));
      const broken = checksOf(attribute, rules).filter((check) => !check.holds(value));
      return broken.length === 0 ? accepted(wellFormed(value)) : refused(...broken.map(({ message }) => problem(message, value)));
    },
    fromSelected: String,
  };
}

/** text and richtext. */
export const textAttribute = textType((attribute, { strict }) =>
  strict ? [...minimum(attribute), ...maximum(attribute), ...pattern(attribute)] : maximum(attribute),
);

/** Strapi's columns for short text hold 255 characters. */
const stringMaximum = ({ options }: ScalarAttribute): Check =>
  atMost(typeof options.maxLength === 'number' && Number.isInteger(options.maxLength) ? options.maxLength : 255);

export const stringAttribute = textType((attribute, { strict }) =>
  strict ? [...minimum(attribute), stringMaximum(attribute), ...pattern(attribute)] : [stringMaximum(attribute)],
);

const address = emptyOr({ message: '{path} must be a valid email', holds: isEmail });
const notEmpty: Check = { message: '{path} cannot be empty', holds: (text) => text !== '' };

/** In yup, a later minimum replaces an earlier one: minLength does not apply to this type. */
export const emailAttribute = textType((attribute, { strict }) =>
  strict ? [...maximum(attribute), ...pattern(attribute), address, notEmpty] : maximum(attribute),
);

const uidPattern = matching(/^[A-Za-z0-9-_.~]*$/);

/** A schema's regex replaces the default. As in Strapi, checked twice: also for empty text. */
export const uidAttribute = textType((attribute, { strict }) => {
  if (!strict) return maximum(attribute);
  const { regex } = attribute.options;
  const own = typeof regex === 'string' && regex !== '' ? matching(new RegExp(regex)) : uidPattern;
  return [...minimum(attribute), ...maximum(attribute), ...pattern(attribute), own];
});

/** A password is never selected, filtered or searched; sign-in only compares its hash. */
export const passwordAttribute: AttributeType = { ...textAttribute, search: 'no', write: (_, output) => output.json('null') };

export const enumerationAttribute: AttributeType = { ...textAttribute, readBody: readEnumeration };

function readEnumeration(value: unknown, { enumValues = [] }: ScalarAttribute): BodyValue {
  const text = toText(value);
  if (typeof text === 'string' && enumValues.includes(text)) return accepted(text);
  // The comma at the end is Strapi's: null is one of its values.
  const values = [...new Set(enumValues)];
  const notListed = {
    ...problem(`{path} must be one of the following values: ${[...values, ''].join(', ')}`, text),
    help: `{path} must be one of the following values: ${values.join(', ')} ("enum" in the schema file)`,
  };
  return typeof text === 'string' ? refused(notListed) : refused(wrongType('string', text, value), notListed);
}
