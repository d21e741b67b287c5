import type { ComponentType } from 'preact';
import { later } from '../shell/later.tsx';
import { ComponentField } from './components/component-field.tsx';
import type { ControlProps } from './control-props.ts';
import { controls } from './controls.ts';
import { EditorControl } from './editor-control.tsx';
import { RelationField } from './relation-field/relation-field.tsx';
import { BooleanControl, EnumerationControl } from './scalars/choice-control.tsx';
import { MomentControl } from './scalars/moment-control.tsx';
import { NumberControl } from './scalars/number-control.tsx';
import { PasswordControl } from './scalars/password-control.tsx';
import { TextControl } from './scalars/text-control.tsx';
import { UidControl } from './scalars/uid-control.tsx';

for (const type of ['string', 'text', 'email']) controls.set(type, TextControl);
for (const type of ['integer', 'biginteger', 'float', 'decimal']) controls.set(type, NumberControl);
for (const type of ['date', 'time', 'datetime', 'timestamp']) controls.set(type, MomentControl);
for (const type of ['richtext', 'blocks', 'json']) controls.set(type, EditorControl);
for (const type of ['component', 'dynamiczone']) controls.set(type, ComponentField);
controls.set('boolean', BooleanControl);
controls.set('enumeration', EnumerationControl);
controls.set('password', PasswordControl);
controls.set('uid', UidControl);
// Its value is a file or a list of them, as for any media attribute.
controls.set('media', later(() => import('../media/media-field.tsx')) as ComponentType<ControlProps>);
controls.set('relation', RelationField);
