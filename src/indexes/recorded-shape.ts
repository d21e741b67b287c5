/** A read's condition and order, without values: they decide which index would serve it. */
import type { Uid } from '../model/content-model.ts';
import { isObject, stringAt, stringsAt } from '../text/json.ts';

export interface RecordedShape {
  readonly uid: Uid;
  /** Undefined for rows of any status. */
  readonly status: 'published' | 'draft' | undefined;
  /** Whether the rows are of one locale. */
  readonly inOneLocale: boolean;
  /** Names of attributes that are compared with `=`, in alphabetical order. */
  readonly equal: readonly string[];
  /** The first sort attribute or, without a sort, the first that is compared by its order. */
  readonly ordered: string | undefined;
  /** Further attributes that decide which rows there are, and their order, where no index finds the
   *  rows, since each is compared with a text. In alphabetical order. */
  readonly compared: readonly string[];
}

/** The same for equal shapes. */
export const keyOfShape = ({ uid, status, inOneLocale, equal, ordered, compared }: RecordedShape): string =>
  JSON.stringify([uid, status ?? '', inOneLocale, equal, ordered ?? '', compared]);

/** Undefined for anything else than a shape. */
export function parseShape(value: unknown): RecordedShape | undefined {
  if (!isObject(value)) return undefined;
  const [uid, status, ordered, equal] = [
    stringAt(value, 'uid'),
    stringAt(value, 'status'),
    stringAt(value, 'ordered'),
    stringsAt(value, 'equal'),
  ];
  if (uid === undefined || equal === undefined || (status !== undefined && status !== 'published' && status !== 'draft')) return undefined;
  // Files of earlier versions lack what is compared.
  return { uid, status, inOneLocale: value.inOneLocale === true, equal, ordered, compared: stringsAt(value, 'compared') ?? [] };
}
