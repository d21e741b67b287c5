/** The unsaved changes to a document that is missing: for a new document, or to be discarded. */
import { may } from '../server/me.ts';
import { ask } from '../shell/dialog.tsx';
import { go } from '../shell/location.ts';
import { notify } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { lostNames } from './kept-values.ts';
import type { OpenDocument } from './open-document.ts';

export function OrphanedWork({ opened }: { readonly opened: OpenDocument }) {
  const { orphaned, form } = opened.work;
  const latest = orphaned.value.at(-1);
  if (latest === undefined) return form.isElsewhere.value ? <p>{say('document.elsewhere')}</p> : null;
  const mayCreate = may(opened.type, 'create');
  const changes = Object.assign({}, ...orphaned.value.map((each) => each.changes));
  const lost = lostNames(opened.attributes, changes);
  const labels = (names: readonly string[]) =>
    names.map((name) => opened.type.attributes.find((each) => each.name === name)?.label ?? name).join(', ');
  const moved = Object.keys(changes).filter((name) => !lost.includes(name));
  const begin = async () => {
    const href = await opened.work.beginAnew();
    if (href === undefined) notify({ kind: 'problem', text: say('document.notKept') });
    else await go(href);
  };
  const discard = async () => {
    const question = { title: say('document.orphanedDiscardTitle'), text: say('document.orphanedDiscardText') };
    if (await ask({ ...question, yes: say('document.orphanedDiscard'), isDangerous: true })) await opened.discard();
  };
  return (
    <section class="unsaved">
      <h2>{say('document.orphanedTitle')}</h2>
      <p>
        {latest.title} <span class="soft">{say('document.orphanedText')}</span> <Ago at={latest.changedAt} />
      </p>
      {mayCreate && moved.length > 0 && <p>{say('document.orphanedFields', { names: labels(moved) })}</p>}
      {mayCreate && lost.length > 0 && <p>{say('document.orphanedLost', { names: labels(lost) })}</p>}
      <p class="buttons">
        {mayCreate && moved.length > 0 && (
          <button type="button" class="primary" onClick={() => void begin()}>
            {say('document.orphanedNew')}
          </button>
        )}
        <button type="button" onClick={() => void discard()}>
          {say('document.orphanedDiscard')}
        </button>
      </p>
    </section>
  );
}
