/** What the fields of a form share, however deep they are. */
import type { Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LinkedDocument } from '../document/values.ts';
import type { DescribedType } from '../server/me.ts';
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
  /** Lets the user make another document without leaving this one; resolves with it once it is
   *  stored, or with undefined. Undefined where there is no place for it. */
  readonly create: CreateDocument | undefined;
}

export type CreateDocument = (
  type: DescribedType,
  options: { readonly title: string; readonly locale: string | undefined },
) => Promise<LinkedDocument | undefined>;

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('a field outside of a form');
  return form;
}

/** The id of the control of a field, for labels and jumps: `field-links.0.url`. What belongs to it has the
 *  same id, two hyphens and a word: `field-seo--label` is the label of `seo`. */
export const fieldId = ({ name }: Pick<Form, 'name'>, path: Path): string => `${name}-${path.join('.')}`;

export const isWithin = (path: Path, outer: Path): boolean => outer.every((step, index) => String(path[index]) === String(step));

/** Without those of the field and of what is within it. Nothing is drawn again if there are none. */
export function dropProblems({ problems }: Pick<Form, 'problems'>, path: Path): void {
  const others = problems.peek().filter((each) => !isWithin(each.path, path));
  if (others.length < problems.peek().length) problems.value = others;
}

/** In the place of what was said of the field. It is said there alone: the user is still near it. */
export function reportProblem({ problems }: Pick<Form, 'problems'>, path: Path, message: string): void {
  problems.value = [...problems.peek().filter((each) => !isSamePath(each.path, path)), { path, message, isQuiet: true }];
}

export const isSamePath = (a: Path, b: Path): boolean => a.length === b.length && isWithin(a, b);
