<<<<<<< HEAD

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
=======
/** The control for an attribute of each type; of a custom field, for the type of its values. */
import type { ComponentType } from 'preact';
import type { ControlProps } from './control-props.ts';
import { EditorControl } from './editor-control.tsx';
import { BooleanControl, EnumerationControl, isRadioGroup } from './scalars/choice-control.tsx';
import { MomentControl } from './scalars/moment-control.tsx';
import { NumberControl } from './scalars/number-control.tsx';
import { PasswordControl } from './scalars/password-control.tsx';
import { TextControl } from './scalars/text-control.tsx';
import { UidControl } from './scalars/uid-control.tsx';

const controls: Readonly<Record<string, ComponentType<ControlProps>>> = {
  string: TextControl,
  text: TextControl,
  email: TextControl,
  password: PasswordControl,
  uid: UidControl,
  integer: NumberControl,
  biginteger: NumberControl,
  float: NumberControl,
  decimal: NumberControl,
  boolean: BooleanControl,
  enumeration: EnumerationControl,
  date: MomentControl,
  time: MomentControl,
  datetime: MomentControl,
  timestamp: MomentControl,
  richtext: EditorControl,
  blocks: EditorControl,
  json: EditorControl,
};

export function Control(props: ControlProps) {
  const Found = controls[props.attribute.type] ?? EditorControl;
  return <Found {...props} />;
>>>>>>> 5ee83ce3 (Edit texts, numbers, dates and choices in the console)
}

/** Whether a control is drawn anew whenever something within it changes, which says itself what is
 *  wrong with its parts. */
export const hasParts = ({ type }: ControlProps['attribute']): boolean => type === 'component' || type === 'dynamiczone';

/** A label names one control. These have several, or one that is no form control. */
export const isGroup = (attribute: ControlProps['attribute']): boolean =>
  ['component', 'dynamiczone', 'relation', 'media', 'blocks', 'richtext', 'json'].includes(attribute.type) || isRadioGroup(attribute);
