/** The draft beside what is published. */
import { useEffect, useState } from 'preact/hooks';
import { componentOf } from '../server/me.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { say } from '../words/say.ts';
import { Comparison } from './comparison.tsx';
import type { OpenDocument } from './open-document.ts';
import { isSameContent, type Values } from './values.ts';

export function CompareDialog({ opened, close }: { readonly opened: OpenDocument; readonly close: () => void }) {
  const [published, setPublished] = useState<Values>();
  useEffect(() => {
    void opened.readVersion({ isDraft: false }).then(setPublished);
  }, []);
  const draft = Object.fromEntries(opened.attributes.map(({ name }) => [name, opened.valueOf(name).value]));
  const differing = opened.attributes.filter((attribute) => {
    const { name } = attribute;
    return published !== undefined && !isSameContent(attribute, draft[name], published[name], componentOf);
  });
  return (
    <Dialog title={say('document.compare')} close={close} kind="wide">
      {published === undefined ? (
        <Skeleton />
      ) : differing.length === 0 ? (
        <p>{say('document.noDifference')}</p>
      ) : (
        <Comparison
          attributes={differing}
          left={published}
          right={draft}
          leftTitle={say('document.statusPublished')}
          rightTitle={say('document.statusDraft')}
        />
      )}
    </Dialog>
  );
}
