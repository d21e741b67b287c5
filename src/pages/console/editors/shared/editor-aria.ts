import type { FieldProps } from '../../fields/field-props.ts';

/** What the element with the text says to assistive technology. */
export const editorAria = ({
  id,
  attribute,
  isInvalid,
  describedBy,
}: Pick<FieldProps, 'id' | 'attribute' | 'isInvalid' | 'describedBy'>): Readonly<Record<string, string>> => ({
  id,
  'aria-labelledby': `${id}--label`,
  'aria-invalid': String(isInvalid),
  'aria-required': String(attribute.required),
  ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
});
