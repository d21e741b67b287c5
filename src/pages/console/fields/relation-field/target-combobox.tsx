/** A search for documents to link: twenty at a time, by keyboard or pointer. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { LinkedDocument } from '../../document/values.ts';
import type { DescribedType } from '../../server/me.ts';
import { say } from '../../words/say.ts';
import { Icon } from '../icon.tsx';
import { titleOf } from './targets.ts';
import { useTargets } from './use-targets.ts';

interface Props {
  readonly type: DescribedType;
  readonly locale: string | undefined;
  readonly isDraft: boolean;
  readonly label: string;
  readonly placeholder: string;
  readonly describedBy: string | undefined;
  readonly isLinked: (document: LinkedDocument) => boolean;
  readonly choose: (document: LinkedDocument) => void;
  /** Undefined where the caller may not make documents of the type. */
  readonly create: ((title: string) => void) | undefined;
}

const keyOf = ({ documentId, locale }: LinkedDocument): string => `${documentId} ${locale ?? ''}`;

export function TargetCombobox({ type, locale, isDraft, label, placeholder, describedBy, isLinked, choose, create }: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  // Enter came before the list of the text: what is chosen once it is there, the first row if no key.
  const awaited = useRef<{ readonly key: string | undefined }>();
  const targets = useTargets({ type, locale, isDraft, text }, isOpen);
  const options: readonly (() => void)[] = [
    ...targets.rows.map((row) => () => {
      if (isLinked(row)) return;
      choose(row);
      close();
    }),
    ...(targets.hasMore ? [targets.more] : []),
    ...(create === undefined
      ? []
      : [
          () => {
            create(text.trim());
            close();
          },
        ]),
  ];
  const close = () => {
    awaited.current = undefined;
    setOpen(false);
    setText('');
    setActive(-1);
  };
  useEffect(() => {
    if (targets.isLoading || awaited.current === undefined) return;
    const { key } = awaited.current;
    awaited.current = undefined;
    // Documents alone: nobody has seen yet that “New …” would come first.
    const index = key === undefined ? 0 : targets.rows.findIndex((row) => keyOf(row) === key);
    if (index >= 0 && index < targets.rows.length) options[index]?.();
  }, [targets.isLoading]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  // At the end of a phone's screen, the list would open where nobody sees it.
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, targets.isLoading]);
  const onKey = (event: KeyboardEvent) => {
    // Ctrl+Enter publishes.
    if (event.ctrlKey || event.metaKey) return;
    awaited.current = undefined;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setActive((former) => (isOpen ? (former + step + options.length) % Math.max(1, options.length) : 0));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (!isOpen) return;
      const row = targets.rows[active];
      if (!targets.isLoading) options[active]?.();
      // What is shown is what was found for a shorter text, or nothing yet.
      else if (active === 0 || row !== undefined) awaited.current = { key: active === 0 || row === undefined ? undefined : keyOf(row) };
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option' as const,
    tabIndex: -1,
    'aria-selected': index === active,
    // The focus stays in the input.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onMouseEnter: () => setActive(index),
    onClick: () => options[index]?.(),
  });
  const moreIndex = targets.rows.length;
  const createIndex = moreIndex + (targets.hasMore ? 1 : 0);
  return (
    <div class="combobox">
      <Icon name="search" />
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        aria-describedby={describedBy}
        autoComplete="off"
        spellcheck={false}
        dir="auto"
        placeholder={placeholder}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
          setActive(0);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKey}
        onBlur={() => {
          awaited.current = undefined;
          setOpen(false);
        }}
      />
      {isOpen && (
        <div ref={list} id={`${id}-list`} class="options" role="listbox" aria-label={label} aria-busy={targets.isLoading}>
          {targets.rows.map((row, index) => (
            <div key={keyOf(row)} {...option(index)} aria-disabled={isLinked(row) || undefined} dir="auto">
              {titleOf(row, type)} {isLinked(row) && <span class="soft">{say('fields.linked')}</span>}
            </div>
          ))}
          {targets.hasMore && (
            <div {...option(moreIndex)} class="option-more">
              {say('fields.showMore')}
            </div>
          )}
          {targets.rows.length === 0 && !targets.isLoading && (
            <div class="soft" role="option" tabIndex={-1} aria-disabled="true" aria-selected="false">
              {targets.problem ?? say('shell.nothingFound')}
            </div>
          )}
          {create !== undefined && (
            <div {...option(createIndex)} class="option-more">
              <Icon name="add" />{' '}
              {text.trim() === ''
                ? say('shell.new', { type: type.label })
                : say('fields.newNamed', { type: type.label, title: text.trim() })}
            </div>
          )}
        </div>
      )}
      <span class="unseen" role="status">
        {isOpen && !targets.isLoading && targets.total !== undefined ? say('fields.found', { count: targets.total }) : ''}
      </span>
    </div>
  );
}
