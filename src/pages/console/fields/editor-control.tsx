/** Texts that have an editor of their own, loaded when one is first shown. */
import { useState } from 'preact/hooks';
import { type ControlProps, wiringOf } from './control-props.ts';

export function EditorControl(props: ControlProps) {
  const { attribute, value, change, isReadOnly } = props;
  const [typed, setTyped] = useState<string>();
  const isText = attribute.type === 'richtext';
  const text = isText ? String(value ?? '') : (typed ?? (value === undefined || value === null ? '' : JSON.stringify(value, null, 2)));
  return (
    <textarea
      {...wiringOf(props)}
      dir="auto"
      rows={8}
      readOnly={isReadOnly}
      value={text}
      onInput={({ currentTarget }) => {
        if (isText) return change(currentTarget.value);
        setTyped(currentTarget.value);
        try {
          change(currentTarget.value === '' ? null : JSON.parse(currentTarget.value));
        } catch {}
      }}
    />
  );
}
