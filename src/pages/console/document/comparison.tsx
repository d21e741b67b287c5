/** Two versions of a document, attribute by attribute. */
import { componentOf, type DescribedAttribute, typeOf } from '../server/me.ts';
import { say } from '../words/say.ts';
import { isRecord } from './values.ts';

interface Props {
  readonly attributes: readonly DescribedAttribute[];
  readonly left: Readonly<Record<string, unknown>>;
  readonly right: Readonly<Record<string, unknown>>;
  readonly leftTitle: string;
  readonly rightTitle: string;
  /** Which side is taken, by attribute; without it nothing can be chosen. */
  readonly choice?: {
    readonly isRight: (name: string) => boolean;
    readonly choose: (name: string, right: boolean) => void;
  };
}

export function Comparison({ attributes, left, right, leftTitle, rightTitle, choice }: Props) {
  return (
    <div class="comparison">
      {attributes.map((attribute) => (
        <fieldset key={attribute.name}>
          <legend>{attribute.label}</legend>
          {[
            { title: leftTitle, value: left[attribute.name], isRight: false },
            { title: rightTitle, value: right[attribute.name], isRight: true },
          ].map(({ title, value, isRight }) => {
            const text = (
              <span class="version-text" dir="auto">
                {textOf(attribute, value) || <em class="soft">{say('document.empty')}</em>}
              </span>
            );
            if (choice === undefined)
              return (
                <div key={title} class="version">
                  <span class="soft">{title}</span>
                  {text}
                </div>
              );
            return (
              <label key={title} class="version">
                <span class="soft">
                  <input
                    type="radio"
                    name={`choice-${attribute.name}`}
                    checked={choice.isRight(attribute.name) === isRight}
                    onChange={() => choice.choose(attribute.name, isRight)}
                  />{' '}
                  {title}
                </span>
                {text}
              </label>
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}

/** A value as text, one line for each part. */
export function textOf(attribute: DescribedAttribute, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && attribute.type !== 'json') return value.map((each) => partText(attribute, each)).join('\n');
  return partText(attribute, value);
}

function partText(attribute: DescribedAttribute, value: unknown): string {
  if (!isRecord(value)) return String(value);
  switch (attribute.type) {
    case 'relation':
      // Links that are too many to be read are counted.
      if (typeof value.count === 'number') return String(value.count);
      return String(value[typeOf(attribute.target)?.title ?? 'documentId'] ?? value.documentId);
    case 'media':
      return String(value.name);
    case 'blocks':
      return plainText(value);
    case 'component':
    case 'dynamiczone': {
      const uid = attribute.type === 'component' ? attribute.component : String(value.__component);
      const found = componentOf(uid ?? '');
      const lines = (found?.attributes ?? [])
        .filter(({ name }) => name in value)
        .map((each) => `${each.label}: ${textOf(each, value[each.name])}`);
      return [...(attribute.type === 'dynamiczone' ? [found?.label ?? uid] : []), ...lines].join('\n');
    }
    default:
      return JSON.stringify(value, null, 2);
  }
}

/** The text of blocks. */
function plainText({ text, children }: Readonly<Record<string, unknown>>): string {
  if (typeof text === 'string') return text;
  return Array.isArray(children) ? children.filter(isRecord).map(plainText).join('') : '';
}
