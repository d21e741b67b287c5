/** The value of one column in a row. */
import type { ComponentChildren } from 'preact';
import { extensionOf, type MediaFile, nameOf, positionOf, thumbnailOf } from '../media/media-file.ts';
import type { DescribedAttribute } from '../server/me.ts';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { type Column, isPopulated } from './columns.ts';
import { statusWords } from './condition-text.ts';
import { countOf, type Row, type Rows } from './rows.ts';
import { dayText, linkedText, numberText } from './values-text.ts';

const numbers = new Set(['integer', 'biginteger', 'float', 'decimal']);

/** Decides on the width and the alignment of a column, which do not depend on what is in it: links
 *  arrive later, and nothing should move then. */
export function columnClass({ attribute }: Column): string {
  if (attribute === undefined) return 'is-status';
  const { type } = attribute;
  if (type === 'media') return 'is-media';
  if (numbers.has(type)) return 'is-number';
  if (type === 'boolean') return 'is-short';
  if (['date', 'datetime', 'timestamp', 'time', 'enumeration'].includes(type)) return 'is-medium';
  return 'is-text';
}

interface Props {
  readonly column: Column;
  readonly row: Row;
  readonly rows: Rows;
}

export function Cell({ column: { attribute }, row, rows }: Props) {
  if (attribute === undefined) return <Status id={row.documentId} rows={rows} />;
  if (!isPopulated(attribute)) return <Scalar attribute={attribute} value={row[attribute.name]} />;
  const values = rows.links.value.get(row.documentId);
  if (values === undefined) return null;
  return <Links attribute={attribute} value={values[attribute.name]} />;
}

function Status({ id, rows }: { readonly id: string; readonly rows: Rows }) {
  const status = rows.statuses.value.get(id);
  if (status === undefined) return null;
  const kind = { draft: '', modified: ' warn', published: ' good' }[status];
  return <span class={`chip${kind}`}>{say(statusWords[status])}</span>;
}

const Nothing = () => <span class="soft">{say('lists.none')}</span>;

function Scalar({ attribute, value }: { readonly attribute: DescribedAttribute; readonly value: unknown }) {
  if (value === null || value === undefined || value === '') return <Nothing />;
  switch (attribute.type) {
    case 'boolean':
      return <>{say(value === true ? 'lists.yes' : 'lists.no')}</>;
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return <>{attribute.name === 'id' ? String(value) : numberText(value, attribute.lectern?.currency)}</>;
    case 'datetime':
    case 'timestamp':
      return <Ago at={String(value)} />;
    case 'date':
      return <time dateTime={String(value)}>{dayText(String(value))}</time>;
    case 'time':
      return <>{String(value).slice(0, 5)}</>;
    case 'json':
      return <Cut>{JSON.stringify(value).slice(0, longest)}</Cut>;
    default:
      return <Cut>{String(value).slice(0, longest)}</Cut>;
  }
}

/** More of a text is not visible in any column. */
const longest = 200;

const Cut = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="list-cut" dir="auto">
    {children}
  </span>
);

type Linked = Readonly<Record<string, unknown>>;

function Links({ attribute, value }: { readonly attribute: DescribedAttribute; readonly value: unknown }) {
  const count = countOf(value);
  if (count !== undefined && count > 0) return <span class="soft">{say('lists.more', { count })}</span>;
  const linked = (Array.isArray(value) ? value : value === null || value === undefined || count === 0 ? [] : [value]) as readonly Linked[];
  const [first] = linked;
  if (first === undefined) return <Nothing />;
  if (attribute.type !== 'media') return <Cut>{linked.map((each) => linkedText(attribute, each)).join(', ')}</Cut>;
  return (
    <span class="list-media">
      <Thumbnail file={first as unknown as MediaFile} />
      {linked.length > 1 && <span class="soft">+{linked.length - 1}</span>}
    </span>
  );
}

function Thumbnail({ file }: { readonly file: MediaFile }) {
  const picture = thumbnailOf(file);
  const name = nameOf(file);
  if (picture === undefined)
    return (
      <span class="list-thumb is-file" title={name}>
        <span aria-hidden="true">{extensionOf(file) || '…'}</span>
        <span class="unseen">{name}</span>
      </span>
    );
  return (
    <img
      class="list-thumb"
      src={picture.url}
      alt={file.alternativeText ?? name}
      title={name}
      width={40}
      height={40}
      loading="lazy"
      decoding="async"
      style={{ objectPosition: positionOf(file) }}
    />
  );
}
