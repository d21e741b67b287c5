import { Ago } from '../shell/time.tsx';
import { region } from '../words/say.ts';
import type { ListedRelease } from './release.ts';

/** The time of a release that waits or has failed, and how far away it is. A published release
 *  shows none: it may have been published by hand, before its time. */
export function When({ release: { publishAt, state } }: { readonly release: ListedRelease }) {
  if (publishAt === null || state === 'done') return null;
  return (
    <>
      {new Date(publishAt).toLocaleString(region.value, { dateStyle: 'medium', timeStyle: 'short' })}{' '}
      <span class="soft">
        (<Ago at={publishAt} />)
      </span>
    </>
  );
}
