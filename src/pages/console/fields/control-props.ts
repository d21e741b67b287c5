import type { FieldProps } from './field-props.ts';
import type { Path } from './form-context.ts';

/** Controls know where in the document they stand. */
export interface ControlProps<Value = unknown> extends FieldProps<Value> {
  readonly path: Path;
}

/** What every native control has. */
export const wiringOf = ({ id, describedBy, isInvalid, attribute, isReadOnly }: FieldProps) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid || undefined,
  'aria-required': attribute.required && !isReadOnly ? true : undefined,
});
