/** The control for an attribute of each type. */
import type { ComponentProps } from 'preact';
import { later } from '../shell/later.tsx';
import type { FieldProps } from './field-props.ts';
import type { Path } from './form-context.ts';

const MediaField = later(() => import('../media/media-field.tsx'));

export function Control(props: FieldProps & { readonly path: Path }) {
  if (props.attribute.type === 'media') return <MediaField {...(props as ComponentProps<typeof MediaField>)} />;
  return <TextControl {...props} />;
}

function TextControl({ attribute, value, change, id, describedBy, isInvalid, isReadOnly }: FieldProps & { readonly path: Path }) {
  const wiring = { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid, readOnly: isReadOnly };
  if (attribute.type === 'text')
    return <textarea {...wiring} rows={4} value={String(value ?? '')} onInput={(event) => change(event.currentTarget.value)} />;
  return <input {...wiring} value={String(value ?? '')} onInput={(event) => change(event.currentTarget.value)} />;
}
