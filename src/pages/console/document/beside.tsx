/** The values of another locale beside the fields of a form, as they were when it was chosen. */
import type { Signal } from '@preact/signals';
import { type DescribedAttribute, localeName } from '../server/me.ts';
import { say } from '../words/say.ts';
import { textOf } from './comparison.tsx';
import { canFill, fillFrom } from './fill-from.ts';
import type { OpenDocument } from './open-document.ts';
import type { Values } from './values.ts';

export interface OtherLocale {
  readonly code: string;
  readonly values: Values;
}

interface Props {
  readonly opened: OpenDocument;
  readonly attribute: DescribedAttribute;
  readonly beside: Signal<OtherLocale | undefined>;
}

export function BesideField({ opened, attribute, beside }: Props) {
  const shown = beside.value;
  if (shown === undefined || !attribute.canRead) return null;
  const name = localeName(shown.code);
  const text = textOf(attribute, shown.values[attribute.name]);
  const label = `${attribute.label} – ${name}`;
  return (
    <fieldset class="beside" aria-label={label}>
      <span class="soft">{name}</span>
      <p class="version" dir="auto" lang={shown.code}>
        {text || <em class="soft">{say('document.empty')}</em>}
      </p>
      {text !== '' && canFill(attribute) && opened.mayWrite(attribute) && (
        <button
          type="button"
          aria-label={`${say('document.besideUse')} – ${label}`}
          onClick={() => fillFrom(opened, name, shown.values, [attribute])}
        >
          {say('document.besideUse')}
        </button>
      )}
    </fieldset>
  );
}
