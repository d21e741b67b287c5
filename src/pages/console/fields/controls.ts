/** The controls by the type of attribute that they edit; of custom fields, by the type of their
 *  values. `all-controls.ts` fills it: those with fields of their own lead back to this module. */
import type { ComponentType } from 'preact';
import type { ControlProps } from './control-props.ts';

export const controls = new Map<string, ComponentType<ControlProps>>();
