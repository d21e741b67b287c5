/** The control for an attribute of each type; of a custom field, for the type of its values. */
import type { ComponentProps, ComponentType } from 'preact';
import { later } from '../shell/later.tsx';
import type { ControlProps } from './control-props.ts';
import { EditorControl } from './editor-control.tsx';
import { BooleanControl, EnumerationControl, isRadioGroup } from './scalars/choice-control.tsx';
import { MomentControl } from './scalars/moment-control.tsx';
import { NumberControl } from './scalars/number-control.tsx';
import { PasswordControl } from './scalars/password-control.tsx';
import { TextControl } from './scalars/text-control.tsx';
import { UidControl } from './scalars/uid-control.tsx';

const MediaField = later(() => import('../media/media-field.tsx'));

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
  media: (props) => <MediaField {...(props as ComponentProps<typeof MediaField>)} />,
};

export function Control(props: ControlProps) {
  const Found = controls[props.attribute.type] ?? EditorControl;
  return <Found {...props} />;
}

/** Whether a control is drawn anew whenever something within it changes, which says itself what is
 *  wrong with its parts. */
export const hasParts = ({ type }: ControlProps['attribute']): boolean => type === 'component' || type === 'dynamiczone';

/** A label names one control. These have several, or one that is no form control. */
export const isGroup = (attribute: ControlProps['attribute']): boolean =>
  ['component', 'dynamiczone', 'relation', 'media', 'blocks', 'richtext', 'json'].includes(attribute.type) || isRadioGroup(attribute);
