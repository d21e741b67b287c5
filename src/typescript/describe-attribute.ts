/** What a documentation comment says of an attribute: its description and its rules. */
import type { Attribute, ContentType, ScalarAttribute, ScalarType, Schema } from '../model/content-model.ts';

const formats: Readonly<Partial<Record<ScalarType, string>>> = {
  biginteger: 'A whole number of 64 bits, as text.',
  date: 'A day: `2024-02-29`.',
  time: 'A time of day: `10:20:30.500`.',
  datetime: 'An instant: `2024-02-29T10:20:30.500Z`.',
  timestamp: 'An instant. Responses have the milliseconds since 1970 as text.',
  richtext: 'Markdown.',
};

/** One text for each paragraph of the comment. */
export function describeAttribute(attribute: Attribute, schema: Schema, use: 'output' | 'input'): readonly string[] {
  const description = sentence(attribute.description);
  const facts = (attribute.kind === 'scalar' ? scalarFacts(attribute) : relatedFacts(attribute)).filter((fact) => fact !== '');
  if (use === 'output' && attribute.required && mayBeDraft(schema)) facts.push('Drafts may lack it.');
  if (use === 'input' && attribute.private) facts.push('Private: no response has it.');
  return [description, facts.join(' ')];
}

/** Whether entries may be drafts. A component may belong to one. */
export const mayBeDraft = (schema: Schema): boolean => schema.kind === 'component' || schema.draftAndPublish;

const sentence = (text = ''): string => text.trim();

const isSet = (value: unknown): value is string | number => typeof value === 'number' || (typeof value === 'string' && value !== '');

function scalarFacts({ type, system, options, unique }: ScalarAttribute): string[] {
  const { min, max, minLength, maxLength, regex, targetField } = options;
  if (system) return [];
  return [
    formats[type] ?? '',
    isSet(minLength) && type !== 'email' ? `At least ${minLength} characters.` : '',
    isSet(maxLength) ? `At most ${maxLength} characters.` : '',
    isSet(min) ? `At least ${min}.` : '',
    isSet(max) ? `At most ${max}.` : '',
    isSet(regex) ? `Matches \`/${regex}/\`.` : '',
    unique ? 'Unique.' : '',
    isSet(targetField) && type === 'uid' ? `Made from \`${targetField}\`.` : '',
    isSet(options.default) || typeof options.default === 'boolean' ? `Default: \`${options.default}\`.` : '',
  ];
}

function relatedFacts(attribute: Exclude<Attribute, ScalarAttribute>): string[] {
  if (attribute.kind === 'relation') return [];
  if (attribute.kind === 'media')
    return [attribute.allowedTypes === undefined ? '' : `Kinds of files: ${attribute.allowedTypes.join(', ')}.`];
  const { min, max } = attribute;
  return [min === undefined ? '' : `At least ${min} entries.`, max === undefined ? '' : `At most ${max} entries.`];
}

/** What a comment says of a type. */
export function describeSchema(schema: Schema, prefix: string): readonly string[] {
  const name = schema.description === undefined ? schema.displayName : sentence(schema.description);
  return [name, schema.kind === 'component' ? `The component \`${schema.uid}\`.` : describeType(schema, prefix)];
}

function describeType({ uid, kind, routed, singularName, pluralName, draftAndPublish, localized }: ContentType, prefix: string): string {
  if (!routed) return `\`${uid}\`.`;
  const path = `\`${prefix}/${kind === 'singleType' ? singularName : pluralName}\``;
  const options = [...(draftAndPublish ? ['drafts'] : []), ...(localized ? ['locales'] : [])];
  return `\`${uid}\` at ${path}${options.length === 0 ? '' : `, with ${options.join(' and ')}`}.`;
}
