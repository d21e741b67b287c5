/** Which of the linked documents have no published version, so that the public does not see them. */
import { useEffect, useState } from 'preact/hooks';
import type { LinkedDocument } from '../../document/values.ts';
import type { DescribedType } from '../../server/me.ts';
import { request } from '../../server/request.ts';
import { showsDrafts, unpublishedQuery } from './targets.ts';

const batchSize = 25;
/** After the form is there: it does not wait for this. */
const delay = 300;
/** Those further down are not asked for. */
const maxAsked = 100;

interface Asked {
  readonly document: LinkedDocument;
  readonly key: string;
  readonly type: DescribedType | undefined;
}

export function useUnpublished(links: readonly Asked[], formLocale: string | undefined): ReadonlySet<string> {
  const [found, setFound] = useState<ReadonlyMap<string, boolean>>(new Map());
  const unknown = links.slice(0, maxAsked).filter(({ type, key }) => type !== undefined && showsDrafts(type) && !found.has(key));
  const wanted = unknown.map(({ key }) => key).join('\n');
  useEffect(() => {
    if (wanted === '') return;
    const aborting = new AbortController();
    const timer = setTimeout(() => void lookUp(unknown, formLocale, aborting.signal).then(add, () => undefined), delay);
    const add = (states: ReadonlyMap<string, boolean>) => setFound((former) => new Map([...former, ...states]));
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [wanted]);
  return new Set([...found].filter(([, isUnpublished]) => isUnpublished).map(([key]) => key));
}

async function lookUp(links: readonly Asked[], formLocale: string | undefined, signal: AbortSignal): Promise<ReadonlyMap<string, boolean>> {
  const states = new Map<string, boolean>();
  const scopes = new Map<string, Asked[]>();
  for (const each of links) {
    const scope = `${each.type?.uid} ${each.document.locale ?? ''}`;
    scopes.set(scope, [...(scopes.get(scope) ?? []), each]);
  }
  for (const group of scopes.values()) {
    const [{ type, document } = {}] = group;
    if (type === undefined) continue;
    const locale = typeof document?.locale === 'string' ? document.locale : formLocale;
    for (let start = 0; start < group.length; start += batchSize) {
      const batch = group.slice(start, start + batchSize);
      const ids = batch.map((each) => each.document.documentId);
      const answer = await request<{ readonly data: readonly LinkedDocument[] }>('GET', type.path, {
        query: unpublishedQuery({ type, locale }, ids),
        signal,
      });
      if (!answer.ok) continue;
      const unpublished = new Set(answer.json?.data.map(({ documentId }) => documentId));
      for (const { key, document: each } of batch) states.set(key, unpublished.has(each.documentId));
    }
  }
  return states;
}
