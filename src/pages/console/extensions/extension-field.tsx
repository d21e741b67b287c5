/** A custom field with an editor of the project. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldProps } from '../fields/field-props.ts';
import type { FieldEditor, Mounted } from './extension.ts';
import { guarded } from './loaded.ts';

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
    const host = element.current;
    const field = {
      value,
      isReadOnly,
      isInvalid,
      id,
      describedBy,
      attribute: { name, label, required },
      change: (next: unknown) => change.current(next),
    };
    mounted.current = guarded(editor.customField, () => editor.mount(host, field));
    return () => guarded(editor.customField, () => mounted.current?.unmount?.());
  }, [editor]);
  useEffect(() => {
    guarded(editor.customField, () => mounted.current?.update?.({ value, isReadOnly, isInvalid }));
  }, [value, isReadOnly, isInvalid]);
  return <div ref={element} class="extension-field" />;
}
