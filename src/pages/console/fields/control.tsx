/** The control of an attribute. */
import { ExtensionField } from '../extensions/extension-field.tsx';
import { fieldEditors } from '../extensions/loaded.ts';
import type { ControlProps } from './control-props.ts';
import { controls } from './controls.ts';
import { isRadioGroup } from './scalars/choice-control.tsx';

export function Control(props: ControlProps) {
  const editor = fieldEditors.value.get(props.attribute.customField ?? '');
  if (editor !== undefined) return <ExtensionField {...props} editor={editor} />;
  const Found = controls.get(props.attribute.type);
  return Found === undefined ? null : <Found {...props} />;
}

/** Whether a control is drawn anew whenever something within it changes, which says itself what is
 *  wrong with its parts. */
export const hasParts = ({ type }: ControlProps['attribute']): boolean => type === 'component' || type === 'dynamiczone';

const groups: ReadonlySet<string> = new Set(['media', 'blocks', 'richtext', 'json']);

/** A label names one control. These have several, or one that is no form control. */
export const isGroup = ({ type }: ControlProps['attribute']): boolean => groups.has(type);

const ownGroups: ReadonlySet<string> = new Set(['component', 'dynamiczone', 'relation']);

/** These have several controls, and are a group themselves. */
export const isOwnGroup = (attribute: ControlProps['attribute']): boolean => ownGroups.has(attribute.type) || isRadioGroup(attribute);
