/** What the fields of a form share, however deep they are. */
import type { Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldProblem } from '../server/request.ts';

export type Path = readonly (string | number)[];

export interface Form {
  /** Tells the ids of the fields of several forms in one page apart. */
  readonly name: string;
  readonly uid: string;
  readonly documentId: Signal<string | undefined>;
  readonly locale: string | undefined;
  readonly isDraft: boolean;
  readonly problems: Signal<readonly FieldProblem[]>;
  /** The field to show and to focus: whatever is folded around it opens. */
  readonly revealed: Signal<Path | undefined>;
  /** The values of the document, for fields that depend on others. */
  readonly valueOf: (attribute: string) => unknown;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('a field outside of a form');
  return form;
}

/** Of the control of a field, for labels and jumps. */
export const fieldId = ({ name }: Pick<Form, 'name'>, path: Path): string => [name, ...path].join('-');

export const isWithin = (path: Path, outer: Path): boolean => outer.every((step, index) => String(path[index]) === String(step));
