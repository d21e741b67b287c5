/** The keyboard shortcuts of the console, shown by `?`. */
import { signal } from '@preact/signals';
import { say, type WordKey } from '../words/say.ts';
import { Dialog } from './dialog.tsx';
import { areSingleKeysOn, isMac, switchSingleKeys, useSingleKeys } from './keys.ts';

export const isShowingShortcuts = signal(false);

const withCommand = (key: string) => (isMac ? `⌘ ${key}` : `Ctrl ${key}`);

/** The alternatives of each shortcut. */
const groups: readonly (readonly [title: WordKey, keys: readonly (readonly [keys: readonly string[], what: WordKey])[]])[] = [
  [
    'keys.anywhere',
    [
      [[withCommand('K')], 'keys.palette'],
      [['?'], 'keys.help'],
    ],
  ],
  [
    'keys.lists',
    [
      [['j', '↓'], 'keys.next'],
      [['k', '↑'], 'keys.previous'],
      [['x'], 'keys.select'],
      [['⇧ x'], 'keys.range'],
      [['↵'], 'keys.open'],
      [['/'], 'keys.search'],
      [['n'], 'keys.new'],
    ],
  ],
  [
    'keys.document',
    [
      [[withCommand('S')], 'keys.save'],
      [[withCommand('↵')], 'keys.publish'],
    ],
  ],
];

/** Once in the page. */
export function Shortcuts() {
  useSingleKeys({
    '?': () => {
      isShowingShortcuts.value = true;
    },
  });
  if (!isShowingShortcuts.value) return null;
  return (
    <Dialog
      title={say('shell.shortcuts')}
      close={() => {
        isShowingShortcuts.value = false;
      }}
    >
      {groups.map(([title, keys]) => (
        <section key={title}>
          <h3>{say(title)}</h3>
          <dl class="keys">
            {keys.map(([alternatives, what]) => (
              <div key={what}>
                <dt>{say(what)}</dt>
                <dd>
                  {alternatives.map((key, index) => (
                    <span key={key}>
                      {index > 0 && <span class="soft"> {say('keys.or')} </span>}
                      <kbd>{key}</kbd>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label class="check">
        <input type="checkbox" checked={areSingleKeysOn.value} onChange={(event) => switchSingleKeys(event.currentTarget.checked)} />
        {say('keys.single')}
      </label>
      <p class="soft">{say('keys.singleHint')}</p>
    </Dialog>
  );
}
