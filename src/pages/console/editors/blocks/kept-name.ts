import { isObject } from '../../../../text/json.ts';

/** How a node that the editor does not know is called: its type, if it has one. */
export const keptName = (value: unknown): string =>
  isObject(value) && typeof value.type === 'string' && value.type !== '' ? value.type.slice(0, 40) : '?';
