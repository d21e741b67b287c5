/** Where a file is used, as far as the user may see it. */
import { useEffect, useState } from 'preact/hooks';
import { componentOf, pathNameOf, typeOf } from '../server/me.ts';
import { Skeleton } from '../shell/later.tsx';
import { hrefOf } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { type Reference, referencesOf } from './api.ts';
import type { MediaFile } from './media-file.ts';

export function UsedBy({ file }: { readonly file: MediaFile }) {
  const [found, setFound] = useState<readonly Reference[] | 'loading' | undefined>('loading');
  useEffect(() => {
    let isCurrent = true;
    void referencesOf(file.id).then((references) => isCurrent && setFound(references));
    return () => {
      isCurrent = false;
    };
  }, [file.id]);
  if (found === 'loading') return <Skeleton lines={1} />;
  if (found === undefined) return <p class="soft">{say('media.usageUnknown')}</p>;
  if (found.length === 0) return <p class="soft">{say('media.unused')}</p>;
  return (
    <ul class="media-uses">
      {found.map((reference) => (
        <li key={`${reference.uid} ${reference.attribute}`}>
          <ReferenceText reference={reference} />
        </li>
      ))}
    </ul>
  );
}

function ReferenceText({ reference: { uid, attribute, count } }: { readonly reference: Reference }) {
  const type = typeOf(uid);
  const label = type?.attributes.find(({ name }) => name === attribute)?.label ?? attribute;
  const text = `${type?.label ?? componentOf(uid)?.label ?? uid} · ${label}`;
  return (
    <>
      {type === undefined ? text : <a href={hrefOf(['content', pathNameOf(type)])}>{text}</a>}{' '}
      <span class="soft">{say('media.uses', { count })}</span>
    </>
  );
}

const atOnce = 4;

/** How often files are used all together; undefined if it cannot be known of one of them. */
export async function countUses(ids: readonly number[]): Promise<number | undefined> {
  const waiting = [...ids];
  let sum: number | undefined = 0;
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const found = await referencesOf(id);
      sum = found === undefined || sum === undefined ? undefined : sum + found.reduce((total, { count }) => total + count, 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return sum;
}
