/** `populate` of a generated request. */
import type { ContentModel, Schema } from '../model/content-model.ts';
import type { Dice } from './dice.ts';
import { linksOf, scalarsOf, targetOf } from './visible-attributes.ts';

/** Further levels say nothing that two do not. */
const mostLevels = 2;

export function populateOf(schema: Schema, model: ContentModel, dice: Dice): readonly string[] {
  const links = linksOf(schema);
  if (links.length === 0) return [];
  const kind = dice.next();
  if (kind < 0.2) return ['populate=*'];
  if (kind < 0.4) return dice.some(links, 3).map(({ name }, position) => `populate[${position}]=${name}`);
  return objectOf(schema, 'populate', { model, dice, level: 1 });
}

function objectOf(schema: Schema, prefix: string, parts: { model: ContentModel; dice: Dice; level: number }): readonly string[] {
  const { model, dice, level } = parts;
  return dice.some(linksOf(schema), 3).flatMap((attribute) => {
    const path = `${prefix}[${attribute.name}]`;
    if (attribute.kind === 'dynamiczone') {
      const components = dice.some(attribute.components, 2);
      return dice.chance(0.5) ? [`${path}[populate]=*`] : components.map((uid) => `${path}[on][${uid}][populate]=*`);
    }
    const target = targetOf(attribute, model);
    if (target === undefined || dice.chance(0.3)) return [`${path}=true`];
    const names = dice.chance(0.5) ? dice.some(scalarsOf(target), 3) : [];
    const fields = names.map(({ name }, position) => `${path}[fields][${position}]=${name}`);
    const deeper = level < mostLevels && dice.chance(0.5) ? objectOf(target, `${path}[populate]`, { ...parts, level: level + 1 }) : [];
    return fields.length + deeper.length === 0 ? [`${path}=true`] : [...fields, ...deeper];
  });
}
