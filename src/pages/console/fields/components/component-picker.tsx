/** The components that a dynamic zone can have, to choose one that is added. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { componentOf } from '../../server/me.ts';
import { say } from '../../words/say.ts';
import { Icon } from '../icon.tsx';

interface Props {
  readonly uids: readonly string[];
  readonly add: (uid: string) => void;
  readonly label: string;
}

export function ComponentPicker({ uids, add, label }: Props) {
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      <button ref={opener} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="add" /> {say('fields.addTo', { label })}
      </button>
      {isOpen && (
        <ul
          ref={list}
          class="component-picker"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
        >
          {uids.map((uid) => {
            const component = componentOf(uid);
            return (
              <li key={uid}>
                <button
                  type="button"
                  onClick={() => {
                    add(uid);
                    close();
                  }}
                >
                  <strong>{component?.label ?? uid}</strong>
                  {component?.description !== undefined && <span class="soft">{component.description}</span>}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
