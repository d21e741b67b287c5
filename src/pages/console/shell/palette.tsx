/** The command palette, ⌘K or Ctrl+K: places, new documents, documents by title, and actions. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { chooseLanguage, language, languages, say } from '../words/say.ts';
import { type Command, commandsFor, type Group } from './commands.ts';
import { Dialog } from './dialog.tsx';
import { useFoundDocuments } from './found-documents.ts';

const isOpen = signal(false);

/** Once in the page. */
export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // An editor of texts may use it for links.
      if (event.defaultPrevented || event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return isOpen.value ? <OpenPalette close={close} /> : null;
}

export function openPalette(): void {
  isOpen.value = true;
}

function close(): void {
  isOpen.value = false;
}

const languageCommands = (): readonly Command[] =>
  Object.entries(languages)
    .filter(([code]) => code !== language.value)
    .map(([code, name]) => ({ id: `language ${code}`, label: say('palette.language', { name }), run: () => void chooseLanguage(code) }));

function OpenPalette({ close }: { readonly close: () => void }) {
  const text = useSignal('');
  const current = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const { documents, isSearching } = useFoundDocuments(text.value);
  const groups = groupsFor(text.value, documents);
  const all = groups.flatMap(({ commands }) => commands);
  const index = Math.min(current.value, Math.max(0, all.length - 1));
  const optionId = (at: number) => `${id}-${at}`;
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const move = (to: number) => {
    current.value = (to + all.length) % Math.max(1, all.length);
    requestAnimationFrame(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(index + 1),
      ArrowUp: () => move(index - 1),
      Enter: () => run(all[index]),
    };
    const step = event.isComposing ? undefined : steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
  let at = 0;
  return (
    <Dialog title={say('shell.goTo')} close={close}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label={say('shell.goTo')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={all.length === 0 ? undefined : optionId(index)}
          aria-describedby={`${id}-hint`}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            current.value = 0;
          }}
          onKeyDown={onKey}
        />
        <p id={`${id}-hint`} class="soft">
          {say('shell.goToHint')}
        </p>
        <div ref={list} id={`${id}-list`} class="palette-list" role="listbox" aria-label={say('shell.goTo')}>
          {groups.map((group, number) => (
            // biome-ignore lint/a11y/useSemanticElements: groups of a listbox
            <div key={group.label} role="group" aria-labelledby={`${id}-group-${number}`}>
              <div id={`${id}-group-${number}`} class="palette-group" role="presentation">
                {group.label}
              </div>
              {group.commands.map((command) => {
                const place = at++;
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
                  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
                  <div
                    key={command.id}
                    id={optionId(place)}
                    class="palette-option"
                    role="option"
                    aria-selected={place === index}
                    onPointerMove={() => {
                      current.value = place;
                    }}
                    onClick={() => run(command)}
                  >
                    <span dir="auto">{command.label}</span>
                    {command.hint !== undefined && <span class="soft">{command.hint}</span>}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        <p class="soft palette-state" role="status">
          {isSearching ? say('palette.searching') : all.length === 0 ? say('shell.nothingFound') : ''}
        </p>
      </div>
    </Dialog>
  );
}

function groupsFor(text: string, documents: readonly Command[]): readonly Group[] {
  const words = text.trim().toLocaleLowerCase().split(/\s+/);
  const isWanted = ({ label, hint = '' }: Command) => words.every((word) => `${label} ${hint}`.toLocaleLowerCase().includes(word));
  const { places, create, actions } = commandsFor();
  const found: readonly Group[] = [
    { label: say('palette.places'), commands: places.filter(isWanted) },
    { label: say('palette.documents'), commands: documents },
    { label: say('palette.create'), commands: create.filter(isWanted) },
    { label: say('palette.actions'), commands: [...actions, ...languageCommands()].filter(isWanted) },
  ];
  return found.filter(({ commands }) => commands.length > 0);
}
