/** An attribute has two values, of the form and of others or another tab: which one stays? */
import { useSignal } from '@preact/signals';
import { Dialog } from '../shell/dialog.tsx';
import { say } from '../words/say.ts';
import { Comparison } from './comparison.tsx';
import type { OpenDocument } from './open-document.ts';

const wordsOf = {
  others: { title: 'conflict.title', text: 'conflict.text', yours: 'conflict.yours', theirs: 'conflict.theirs' },
  tab: { title: 'conflict.tabTitle', text: 'conflict.tabText', yours: 'conflict.last', theirs: 'conflict.earlier' },
} as const;

export function ConflictDialog({ opened }: { readonly opened: OpenDocument }) {
  const theirs = useSignal<ReadonlySet<string>>(new Set());
  const conflict = opened.conflict.value;
  if (conflict === undefined) return null;
  const { names, values } = conflict;
  const words = wordsOf[conflict.with];
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(theirs.value);
    if (isTheirs) next.add(name);
    else next.delete(name);
    theirs.value = next;
  };
  const settle = () => {
    opened.settle(theirs.value);
    theirs.value = new Set();
  };
  return (
    <Dialog title={say(words.title)} close={() => undefined} kind="wide" isRequired>
      <p>{say(words.text)}</p>
      <Comparison
        attributes={opened.attributes.filter(({ name }) => names.includes(name))}
        left={Object.fromEntries(names.map((name) => [name, opened.valueOf(name).value]))}
        right={values}
        leftTitle={say(words.yours)}
        rightTitle={say(words.theirs)}
        choice={{ isRight: (name) => theirs.value.has(name), choose }}
      />
      <p class="buttons">
        <button type="button" class="primary" onClick={settle}>
          {say('conflict.settle')}
        </button>
        <span class="soft">{say('conflict.hint')}</span>
      </p>
    </Dialog>
  );
}
