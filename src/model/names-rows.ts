import type { ScalarAttribute } from './content-model.ts';

/** Whether a value of the attribute usually tells one document from all others. */
export const tellsRowsApart = ({ type, unique, system }: ScalarAttribute): boolean => !system && (type === 'uid' || unique);

const texts: ReadonlySet<string> = new Set(['uid', 'string', 'text', 'email', 'enumeration']);

/** The same, for values that are stored and compared as texts. */
export const namesRowByText = (attribute: ScalarAttribute): boolean => tellsRowsApart(attribute) && texts.has(attribute.type);
