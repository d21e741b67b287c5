/** Which versions of a document there are: by locale, drafts and published. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../server/request.ts';
import type { OpenDocument } from './open-document.ts';

export interface LocaleVersion {
  readonly locale: string | null;
  readonly draft?: { readonly updatedAt: string } | null;
  readonly published?: { readonly publishedAt: string; readonly updatedAt: string } | null;
  readonly isModified: boolean;
}

export interface Versions {
  readonly list: Signal<readonly LocaleVersion[]>;
  readonly load: () => Promise<void>;
}

export function useVersions(opened: OpenDocument): Versions {
  const list = useSignal<readonly LocaleVersion[]>([]);
  const { type } = opened;
  const load = async () => {
    if (!type.draftAndPublish && !type.localized) return;
    const id = opened.documentId.value;
    if (!opened.isStored.value && id === undefined && type.kind === 'collectionType') return;
    const path = type.kind === 'singleType' ? type.path : `${type.path}/${encodeURIComponent(id ?? '')}`;
    const answer = await request<{ readonly data: readonly LocaleVersion[] }>('GET', `${path}/versions-of-locales`);
    if (answer.ok) list.value = answer.json?.data ?? [];
  };
  useEffect(() => {
    void load();
  }, [opened]);
  return { list, load };
}

export const versionIn = ({ list }: Versions, locale: string | undefined): LocaleVersion | undefined =>
  list.value.find((each) => (each.locale ?? undefined) === locale);
