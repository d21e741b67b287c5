/** Values of attributes as people read them. */
import type { DescribedAttribute, DescribedType } from '../server/me.ts';
import { typeOf } from '../server/me.ts';
import { region, say } from '../words/say.ts';

/** The name of a document for people. */
export function titleText({ title }: Pick<DescribedType, 'title'>, row: Readonly<Record<string, unknown>>): string {
  const value = title === undefined ? row.documentId : row[title];
  return value === null || value === undefined || value === '' ? say('document.untitled') : String(value);
}

/** `2024-06-01`, in the words of the reader. */
export const dayText = (day: string): string => {
  const date = new Date(`${day}T00:00:00`);
  return Number.isNaN(date.getTime()) ? day : date.toLocaleDateString(region.value, { dateStyle: 'medium' });
};

/** A list in a sentence: `Bread, Maps or Night`. */
export const anyOfText = (values: readonly string[]): string => new Intl.ListFormat(region.value, { type: 'disjunction' }).format(values);

/** A number, or an amount of `currency`. No digit is left out. */
export function numberText(value: unknown, currency?: string): string {
  const options = { maximumFractionDigits: 20 as const, ...(currency === undefined ? {} : { style: 'currency' as const, currency }) };
  if (typeof value === 'number') return value.toLocaleString(region.value, options);
  // Whole numbers beyond 2^53 come as text.
  const isAmount = currency !== undefined && typeof value === 'string' && /^-?\d+$/.test(value);
  return isAmount ? BigInt(value).toLocaleString(region.value, options) : String(value);
}

/** What a linked document or file is called. */
export function linkedText({ type, target }: DescribedAttribute, value: Readonly<Record<string, unknown>>): string {
  if (type === 'media') return String(value.name ?? '');
  const found = typeOf(target);
  if (found !== undefined) return titleText(found, value);
  const { firstname, lastname, username, documentId, id } = value;
  const name = [firstname, lastname].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return name !== '' ? name : String(username ?? documentId ?? id ?? '');
}
