import { Ago } from '../shell/time.tsx';
import { region } from '../words/say.ts';
import type { ListedRelease } from './release.ts';

/** When it is published, or should have been: the day and the minute, and how far it is away. One
 *  that is published may have been so by hand, before its time. */
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
