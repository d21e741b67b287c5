/** Somebody else has saved the same attributes meanwhile: which version is kept? */
import { useSignal } from '@preact/signals';
import { Dialog } from '../shell/dialog.tsx';
import { say } from '../words/say.ts';
import { Comparison } from './comparison.tsx';
import type { OpenDocument } from './open-document.ts';

export function ConflictDialog({ opened }: { readonly opened: OpenDocument }) {
  const theirs = useSignal<ReadonlySet<string>>(new Set());
  const conflict = opened.conflict.value;
  if (conflict === undefined) return null;
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
    <Dialog title={say('conflict.title')} close={() => undefined} kind="wide" isRequired>
      <p>{say('conflict.text')}</p>
      <Comparison
        attributes={opened.attributes.filter(({ name }) => conflict.conflicts.includes(name))}
        left={conflict.kept}
        right={conflict.current}
        leftTitle={say('conflict.yours')}
        rightTitle={say('conflict.theirs')}
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
