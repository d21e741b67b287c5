/** Short and long texts, e-mail addresses. */
import { useEffect, useState } from 'preact/hooks';
import { say } from '../../words/say.ts';
import { type ControlProps, wiringOf } from '../control-props.ts';

const typingPause = 1000;

export function TextControl(props: ControlProps) {
  const { attribute, value, change, id, describedBy, isReadOnly } = props;
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value);
  const bounds = boundsOf(attribute, text);
  const shared = {
    ...wiringOf(props),
    'aria-describedby': bounds === undefined ? describedBy : [describedBy, `${id}--count`].filter(Boolean).join(' '),
    dir: 'auto',
    value: text,
    readOnly: isReadOnly,
    placeholder: attribute.lectern?.placeholder,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => change(event.currentTarget.value),
  } as const;
  return (
    <>
      {attribute.type === 'text' ? (
        <textarea {...shared} class="text-long" rows={3} />
      ) : attribute.type === 'email' ? (
        // Of the type `email`, browsers would change what was written.
        <input {...shared} inputMode="email" autoComplete="off" autocapitalize="off" spellcheck={false} />
      ) : (
        <input {...shared} autoComplete="off" />
      )}
      {bounds !== undefined && !isReadOnly && <Counter id={`${id}--count`} length={text.length} {...bounds} />}
    </>
  );
}

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Columns of short texts hold this many characters; said when it comes close. */
const columnLength = 255;

function boundsOf({ type, minLength, maxLength }: ControlProps['attribute'], text: string): Bounds | undefined {
  if (minLength !== undefined || maxLength !== undefined) return { min: minLength, max: maxLength };
  return type === 'string' && text.length > columnLength * 0.8 ? { min: undefined, max: columnLength } : undefined;
}

/** `12 / 80`; screen readers hear what is left when the typing pauses and it matters. */
function Counter({ id, length, min, max }: Bounds & { readonly id: string; readonly length: number }) {
  const [announced, announce] = useState('');
  const isOver = max !== undefined && length > max;
  const isUnder = min !== undefined && length > 0 && length < min;
  useEffect(() => {
    const timer = setTimeout(() => announce(stateOf(length, min, max)), typingPause);
    return () => clearTimeout(timer);
  }, [length]);
  return (
    <span class={isOver || isUnder ? 'text-count problem' : 'text-count soft'}>
      <span id={id}>
        {max === undefined ? say('fields.atLeast', { count: min ?? 0, length }) : say('fields.ofLength', { length, max })}
      </span>
      <span class="unseen" role="status">
        {announced}
      </span>
    </span>
  );
}

function stateOf(length: number, min: number | undefined, max: number | undefined): string {
  if (max !== undefined && length > max) return say('fields.charactersOver', { count: length - max });
  if (max !== undefined && length >= max * 0.9) return say('fields.charactersLeft', { count: max - length });
  return min !== undefined && length > 0 && length < min ? say('fields.charactersMissing', { count: min - length }) : '';
}
