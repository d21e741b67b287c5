/** Turns attributes that are not relations into what a schema file has of them. */

import { lecternCommand } from '../text/lectern-command.ts';
import { didYouMean, nearest } from '../text/nearest.ts';
import type { AttributeNotation } from './attribute-notation.ts';

/** What the attribute may refer to. */
export interface Surroundings {
  /** All attributes of the command. */
  readonly siblings: readonly AttributeNotation[];
  /** Uids of the components of the project; undefined accepts every uid. */
  readonly components: readonly string[] | undefined;
}

export type AttributeJson = Readonly<Record<string, unknown>>;

/** Throws a `NotationError`. */
type Maker = (attribute: AttributeNotation, surroundings: Surroundings) => AttributeJson;

/** A mistake in one attribute. */
export class NotationError extends Error {}

/** Relations on the command line. The first four connect both sides, the others only this one. */
export const twoWayKinds = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'] as const;
export const oneWayKinds = { oneWay: 'oneToOne', manyWay: 'oneToMany' } as const;

/** A type whose values are described by nothing else. */
const plain: Maker = ({ type, args, name, required }) => {
  if (args.length > 0) throw new NotationError(`${type} takes no value: ${name}:${type}${required ? '!' : ''}`);
  return { type };
};

/** A text with the largest number of characters. */
const text: Maker = ({ type, args, name }) => {
  const [length, ...more] = args;
  if (length === undefined) return { type };
  if (more.length > 0 || !/^[1-9]\d{0,8}$/.test(length))
    throw new NotationError(`${type} takes the largest number of characters: ${name}:${type}(120)`);
  return { type, maxLength: Number(length) };
};

const uid: Maker = ({ name, args }, { siblings }) => {
  const [target, ...more] = args;
  if (target === undefined) return { type: 'uid' };
  if (more.length > 0) throw new NotationError(`uid takes one attribute, which it is made from: ${name}:uid(title)`);
  const texts = siblings.filter(({ type }) => type === 'string' || type === 'text').map((sibling) => sibling.name);
  if (!texts.includes(target)) {
    const there =
      texts.length === 0 ? 'there is none, such as title:string' : `there ${texts.length === 1 ? 'is' : 'are'} ${texts.join(', ')}`;
    throw new NotationError(
      `uid is made from an attribute of type string or text of the same command, not from "${target}"; ${there}.${didYouMean(target, texts)}`,
    );
  }
  return { type: 'uid', targetField: target };
};

const enumeration: Maker = ({ name, args }) => {
  if (args.length === 0) throw new NotationError(`enumeration takes its values: ${name}:enumeration(draft,final)`);
  const twice = args.find((value, at) => args.indexOf(value) !== at);
  if (twice !== undefined) throw new NotationError(`the value "${twice}" is there twice`);
  return { type: 'enumeration', enum: args };
};

/** Strapi stores each decimal in this column, and no option changes it. */
const decimalColumn = '10,2';

const decimal: Maker = ({ name, args }) => {
  if (args.length > 0 && args.join() !== decimalColumn)
    throw new NotationError(`decimal always has 10 digits, 2 of them after the point: ${name}:decimal(10,2), or ${name}:float`);
  return { type: 'decimal' };
};

const mediaKinds = ['images', 'videos', 'audios', 'files'];
const several = 'multiple';

const media: Maker = ({ args }) => {
  const kinds = args.filter((arg) => arg !== several);
  const unknown = kinds.find((kind) => !mediaKinds.includes(kind));
  if (unknown !== undefined)
    throw new NotationError(
      `media takes ${mediaKinds.join(', ')} or ${several}, not "${unknown}".${didYouMean(unknown, [...mediaKinds, several])}`,
    );
  return { type: 'media', multiple: args.includes(several), allowedTypes: kinds.length === 0 ? mediaKinds : kinds };
};

const repeatable = 'repeatable';

const component: Maker = ({ name, args }, surroundings) => {
  const [uid, second, ...more] = args;
  if (uid === undefined || more.length > 0 || (second !== undefined && second !== repeatable))
    throw new NotationError(`component takes one component, and "${repeatable}" for a list: ${name}:component(shared.seo,${repeatable})`);
  return { type: 'component', component: known(uid, surroundings), repeatable: second !== undefined };
};

const dynamicZone: Maker = ({ name, args }, surroundings) => {
  if (args.length === 0)
    throw new NotationError(`dynamiczone takes the components that it may hold: ${name}:dynamiczone(shared.quote,shared.image)`);
  return { type: 'dynamiczone', components: args.map((uid) => known(uid, surroundings)) };
};

const customField: Maker = ({ name, args: [field, ...more] }) => {
  if (field === undefined || more.length > 0)
    throw new NotationError(`customField takes the name of one: ${name}:customField(plugin::color-picker.color)`);
  return { type: 'customField', customField: field };
};

const makers: Readonly<Record<string, Maker>> = {
  string: text,
  text,
  richtext: text,
  blocks: plain,
  email: plain,
  password: plain,
  uid,
  enumeration,
  integer: plain,
  biginteger: plain,
  float: plain,
  decimal,
  boolean: plain,
  date: plain,
  time: plain,
  datetime: plain,
  timestamp: plain,
  json: plain,
  media,
  component,
  dynamiczone: dynamicZone,
  customField,
};

const typeNames = [...Object.keys(makers), ...twoWayKinds, ...Object.keys(oneWayKinds)];

/** Names that people use elsewhere for one of our types. */
const otherNames: Readonly<Record<string, string>> = {
  int: 'integer',
  number: 'integer',
  bool: 'boolean',
  enum: 'enumeration',
  image: 'media(images)',
  file: 'media',
  markdown: 'richtext',
  slug: 'uid',
  relation: 'manyToOne',
  zone: 'dynamiczone',
};

/** The attribute as a schema file has it. Throws a `NotationError`. */
export function attributeJson(attribute: AttributeNotation, surroundings: Surroundings): AttributeJson {
  const { type, required } = attribute;
  const make = Object.hasOwn(makers, type) ? makers[type] : undefined;
  if (make === undefined) {
    const other = Object.hasOwn(otherNames, type.toLowerCase()) ? otherNames[type.toLowerCase()] : nearest(type, typeNames);
    throw new NotationError(
      type.startsWith('morph')
        ? `${type} relates to several types; write it into the schema file (docs/content-types.md)`
        : `there is no type "${type}".${other === undefined ? ` There are ${typeNames.join(', ')}.` : ` Did you mean ${other}?`}`,
    );
  }
  return { ...make(attribute, surroundings), ...(required ? { required: true } : {}) };
}

function known(uid: string, { components }: Surroundings): string {
  if (components === undefined || components.includes(uid)) return uid;
  const there =
    components.length === 0
      ? `\`${lecternCommand(`make component ${/^[\w-]+\.[\w-]+$/.test(uid) ? uid : 'shared.seo'} …`)}\` makes one`
      : `there are ${components.join(', ')}`;
  throw new NotationError(`there is no component "${uid}"; ${there}.${didYouMean(uid, components)}`);
}
