/** Components: one, a list of one kind, or a dynamic zone. */
import { useMemo, useRef } from 'preact/hooks';
import { componentOf } from '../../server/me.ts';
import { say } from '../../words/say.ts';
import type { ControlProps } from '../control-props.ts';
import { Icon } from '../icon.tsx';
import { useReorder } from '../reorder.tsx';
import { pastedComponent, uidOfCopied } from './clipboard.ts';
import { ComponentPicker } from './component-picker.tsx';
import { lastCopied } from './copied.ts';
import { Entry, type EntryActions } from './entry.tsx';
import { entryKey } from './entry-title.ts';
import { type EntryOperations, useEntries } from './use-entries.ts';

export function ComponentField(props: ControlProps) {
  const { attribute, path, isReadOnly, id, describedBy, isInvalid } = props;
  const inZone = attribute.type === 'dynamiczone';
  const isMany = attribute.isMany === true;
  const uids = useMemo(() => (inZone ? (attribute.components ?? []) : [attribute.component ?? '']), [attribute]);
  const { operations, isOpen } = useEntries(props, uids, inZone);
  const list = useRef<HTMLUListElement>(null);
  const { entries } = operations;
  const reorder = useReorder({ list, move: operations.move, count: () => operations.entries.length, nameOf: operations.nameOf });
  const actions = useMemo((): EntryActions => {
    const { toggle, change, copy, remove, duplicate } = operations;
    return { toggle, change, copy, remove, ...(isMany ? { list: { duplicate, handlers: reorder.handlers } } : {}) };
  }, [operations]);
  const max = isMany ? boundOf(attribute.max) : 1;
  const isFull = max !== undefined && entries.length >= max;
  const paste = (event: ClipboardEvent) => {
    // Into a text, it is a text.
    const isText = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable="true"]') !== null;
    if (isText || isReadOnly || isFull || !operations.paste(event.clipboardData?.getData('text/plain') ?? '')) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: its label stands outside of it.
    <div
      id={id}
      class="entries"
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}--label`}
      aria-describedby={describedBy}
      data-invalid={isInvalid}
      onPaste={paste}
    >
      {entries.length === 0 && isReadOnly && <p class="soft">{say('fields.none')}</p>}
      {entries.length > 1 && <FoldAll operations={operations} />}
      {entries.length > 0 && (
        <ul ref={list} class="entry-list">
          {entries.map((entry, index) => {
            const key = entryKey(entry);
            const own = isMany ? [...path, index] : path;
            return (
              <Entry
                key={key}
                entry={entry}
                uid={operations.uidOf(entry)}
                entryKey={key}
                path={own}
                index={isMany ? index : undefined}
                count={entries.length}
                inZone={inZone}
                isFull={isFull}
                isOpen={isOpen(key, own)}
                isReadOnly={isReadOnly}
                mark={reorder.markOf(index)}
                actions={actions}
              />
            );
          })}
        </ul>
      )}
      {!isReadOnly && (isMany || entries.length === 0) && (
        <div class="entry-add">
          {!isFull && <AddButtons operations={operations} inZone={inZone} uids={uids} label={attribute.label} />}
          {isMany && <Bounds count={entries.length} min={boundOf(attribute.min)} max={max} />}
        </div>
      )}
      <p class="unseen" role="status">
        {reorder.announced}
      </p>
    </div>
  );
}

const boundOf = (bound: number | string | undefined): number | undefined =>
  bound === undefined || Number.isNaN(Number(bound)) ? undefined : Number(bound);

interface AddProps {
  readonly operations: EntryOperations;
  readonly inZone: boolean;
  readonly uids: readonly string[];
  readonly label: string;
}

function AddButtons({ operations, inZone, uids, label }: AddProps) {
  return (
    <>
      {inZone ? (
        <ComponentPicker uids={uids} add={operations.add} label={label} />
      ) : (
        <button
          type="button"
          aria-label={`${say('fields.add', { label: componentOf(uids[0] ?? '')?.label ?? '' })} – ${label}`}
          onClick={() => operations.add(uids[0] ?? '')}
        >
          <Icon name="add" /> {say('fields.add', { label: componentOf(uids[0] ?? '')?.label ?? '' })}
        </button>
      )}
      <PasteButton operations={operations} inZone={inZone} uids={uids} label={label} />
    </>
  );
}

/** Only if there is something to paste here, which it names. */
function PasteButton({ operations, inZone, uids, label }: AddProps) {
  const text = lastCopied();
  const fits = useMemo(() => pastedComponent(text, uids, componentOf, inZone) !== undefined, [text, uids, inZone]);
  if (!fits) return null;
  const uid = uidOfCopied(text);
  const name = say('fields.paste', { name: componentOf(uid)?.label ?? uid });
  return (
    <button type="button" class="quiet soft" aria-label={`${name} – ${label}`} onClick={() => operations.paste(text)}>
      {name}
    </button>
  );
}

function Bounds({ count, min, max }: { readonly count: number; readonly min: number | undefined; readonly max: number | undefined }) {
  if (max !== undefined) return <span class="soft">{say('fields.ofAtMost', { number: count, max })}</span>;
  return min === undefined ? null : <span class="soft">{say('fields.atLeastEntries', { number: count, min })}</span>;
}

function FoldAll({ operations }: { readonly operations: EntryOperations }) {
  const isAnyOpen = operations.entries.some((each) => operations.open.has(entryKey(each)));
  return (
    <button type="button" class="link fold-all" onClick={() => operations.setAllOpen(!isAnyOpen)}>
      {say(isAnyOpen ? 'fields.foldAll' : 'fields.unfoldAll')}
    </button>
  );
}
