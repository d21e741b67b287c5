/** The nodes of Strapi's blocks, as far as the editor knows them. Values may have more of
 *  everything: other types, and other keys. */
import { isObject, type JsonObject } from '../../../../text/json.ts';

/** Keys of a text that are marks in the editor, if they are true. */
export const textMarks = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const;

export type TextMark = (typeof textMarks)[number];

export const isTextMark = (name: string): name is TextMark => (textMarks as readonly string[]).includes(name);

export type ListFormat = 'ordered' | 'unordered';

export const isListFormat = (value: unknown): value is ListFormat => value === 'ordered' || value === 'unordered';

export interface TextNode extends JsonObject {
  readonly type: 'text';
  readonly text: string;
}

export const isTextNode = (value: unknown): value is TextNode => isObject(value) && value.type === 'text' && typeof value.text === 'string';

export const emptyText: TextNode = { type: 'text', text: '' };

/** The object without these keys. */
export const without = (object: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
