/** A custom field with an editor of the project. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldProps } from '../fields/field-props.ts';
import type { FieldEditor, Mounted } from './extension.ts';

type Shown = Parameters<NonNullable<ReturnType<FieldEditor['mount']>['update']>>[0];

export function ExtensionField({ editor, ...props }: FieldProps & { readonly editor: FieldEditor }) {
  const { attribute, value, isReadOnly, isInvalid, id, describedBy } = props;
  const element = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted<Shown>>();
  const change = useRef(props.change);
  change.current = props.change;
  useLayoutEffect(() => {
    if (element.current === null) return;
    const { name, label, required } = attribute;
    mounted.current = editor.mount(element.current, {
      value,
      isReadOnly,
      isInvalid,
      id,
      describedBy,
      attribute: { name, label, required },
      change: (next) => change.current(next),
    });
    return () => mounted.current?.unmount?.();
  }, [editor]);
  useEffect(() => mounted.current?.update?.({ value, isReadOnly, isInvalid }), [value, isReadOnly, isInvalid]);
  return <div ref={element} class="extension-field" />;
}
