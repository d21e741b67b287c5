import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';

/** What every editor of a value gets. */
export interface FieldProps<Value = unknown> {
  readonly attribute: DescribedAttribute;
  /** As the API returns it. */
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** The id of the control; its label has the id `${id}--label`. */
  readonly id: string;
  /** Ids of the texts of help and of the problem. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly isReadOnly: boolean;
}
