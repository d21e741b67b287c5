/** Dates and times, in the time zone of the reader, which is said. */
import type { ComponentChildren } from 'preact';
import { region, say } from '../../words/say.ts';
import { type ControlProps, wiringOf } from '../control-props.ts';
import { reportProblem, useForm } from '../form-context.ts';
import { wrongWord } from '../wrong-values.ts';
import { fullTime, incomplete, instantText, localText, shortTime, stepOf, zoneText } from './moment-text.ts';

export function MomentControl(props: ControlProps) {
  const { attribute, value, change, isReadOnly, id, describedBy, path } = props;
  const form = useForm();
  const kind = kinds[attribute.type as keyof typeof kinds];
  const shown = value === incomplete ? '' : kind.shown(value);
  const hasZone = kind.input === 'datetime-local';
  const wiring = {
    ...wiringOf(props),
    'aria-describedby': hasZone ? [describedBy, `${id}--zone`].filter(Boolean).join(' ') : describedBy,
    readOnly: isReadOnly,
  };
  // Another program has written it, or a year of five digits: it stays until it is written anew.
  if (shown === undefined)
    return <input {...wiring} value={String(value)} onInput={({ currentTarget }) => change(currentTarget.value || null)} />;
  return (
    <span class="moment">
      <input
        {...wiring}
        type={kind.input}
        step={kind.input === 'date' ? undefined : stepOf(shown)}
        value={shown}
        onInput={({ currentTarget }) => {
          if (currentTarget.validity.badInput) change(incomplete);
          else change(currentTarget.value === '' ? null : kind.written(currentTarget.value));
        }}
        onBlur={({ currentTarget }) => {
          const word = currentTarget.validity.badInput ? 'fields.incomplete' : wrongWord(attribute, value, '.');
          if (word !== undefined) reportProblem(form, path, say(word));
        }}
      />
      {hasZone && <Zone id={`${id}--zone`}>{zoneText(shown === '' ? new Date() : new Date(shown), region.value)}</Zone>}
    </span>
  );
}

const Zone = ({ id, children }: { readonly id: string; readonly children: ComponentChildren }) => (
  <span id={id} class="soft moment-zone">
    {children}
  </span>
);

interface Kind {
  readonly input: 'date' | 'time' | 'datetime-local';
  /** The text of the control; undefined for what it cannot show. */
  readonly shown: (value: unknown) => string | undefined;
  readonly written: (text: string) => string | null;
}

const textIf =
  (pattern: RegExp, use: (text: string) => string = (text) => text) =>
  (value: unknown): string | undefined => {
    if (value === null || value === undefined || value === '') return '';
    return typeof value === 'string' && pattern.test(value) ? use(value) : undefined;
  };
const local = (value: unknown) => (value === null || value === undefined || value === '' ? '' : localText(value));

const kinds = {
  date: { input: 'date', shown: textIf(/^\d{4}-\d\d-\d\d$/), written: (text) => text },
  time: { input: 'time', shown: textIf(/^\d\d:\d\d/, shortTime), written: fullTime },
  datetime: { input: 'datetime-local', shown: local, written: (text) => instantText(text, 'datetime') },
  timestamp: { input: 'datetime-local', shown: local, written: (text) => instantText(text, 'timestamp') },
} as const satisfies Record<string, Kind>;
