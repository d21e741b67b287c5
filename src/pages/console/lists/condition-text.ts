/** Conditions in words: `Category is Bread or Maps`. */
import type { DescribedAttribute, DescribedType } from '../server/me.ts';
import { say, type WordKey } from '../words/say.ts';
import { type Condition, type Filterable, filterablesOf, type RowStatus, valueCountOf } from './conditions.ts';
import { knownTitle } from './find-documents.ts';
import { anyOfText, dayText } from './values-text.ts';

const systemNames = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy'] as const;

/** The label of an attribute, or of the status. */
export function labelOf(attribute: DescribedAttribute | undefined): string {
  if (attribute === undefined) return say('lists.status');
  const system = systemNames.find((name) => name === attribute.name);
  return system !== undefined && attribute.isSystem ? say(`lists.system.${system}`) : attribute.label;
}

export const statusWords = {
  draft: 'document.statusDraft',
  modified: 'document.statusModified',
  published: 'document.statusPublished',
} as const satisfies Record<RowStatus, WordKey>;

/** `locale`: in which linked documents are named. */
export function conditionText(condition: Condition, type: DescribedType, locale: string | undefined): string {
  const filterable = filterablesOf(type).find(({ name }) => name === condition.attribute);
  if (filterable === undefined) return condition.attribute;
  const attribute = labelOf(filterable.attribute);
  const operator = say(`lists.op.${condition.operator}`);
  const values = condition.values.map((value) => valueText(value, filterable, locale));
  if (condition.operator === 'lastDays') return say('lists.says.lastDays', { attribute, count: Number(condition.values[0]) });
  switch (valueCountOf(condition.operator)) {
    case 'none':
      return say('lists.says.none', { attribute, operator });
    case 'two':
      return say('lists.says.two', { attribute, operator, from: values[0] ?? '', to: values[1] ?? '' });
    default:
      return say('lists.says.one', { attribute, operator, value: anyOfText(values) });
  }
}

function valueText(value: string, { kind, attribute }: Filterable, locale: string | undefined): string {
  switch (kind) {
    case 'date':
    case 'datetime':
      return dayText(value);
    case 'relation':
      return knownTitle(attribute?.target ?? '', value, locale) ?? say('lists.loadingTitle');
    case 'status':
      return say(statusWords[value as RowStatus]);
    case 'text':
      return `“${value}”`;
    default:
      return value;
  }
}
