/** Documents that what is typed into the command palette finds: by a full-text search of all types
 *  that have one, and in others by their titles. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { findDocuments } from '../lists/find-documents.ts';
import type { ChosenDocument } from '../lists/jobs.ts';
import { searchDocuments } from '../lists/search-documents.ts';
import { type DescribedType, editableTypes, may, pathNameOf } from '../server/me.ts';
import type { Command } from './commands.ts';
import { go, hrefOf, place } from './location.ts';

const fewestLetters = 2;
const pause = 200;
const mostTypes = 5;
const mostOfType = 5;
const mostOfSearch = 15;

interface Found {
  readonly documents: readonly Command[];
  readonly isSearching: boolean;
}

/** What was found for the former text stays until there is something for this one. */
export function useFoundDocuments(text: string): Found {
  const wanted = text.trim();
  const documents = useSignal<readonly Command[]>([]);
  const isSearching = useSignal(false);
  useEffect(() => {
    const running = new AbortController();
    if (wanted.length < fewestLetters) {
      documents.value = [];
      isSearching.value = false;
      return;
    }
    isSearching.value = true;
    const search = async () => {
      const found = await find(wanted, running.signal);
      if (running.signal.aborted) return;
      documents.value = found;
      isSearching.value = false;
    };
    const timer = setTimeout(() => void search(), pause);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }, [wanted]);
  return { documents: documents.value, isSearching: isSearching.value };
}

async function find(text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const ranked = editableTypes.value.filter(({ hasSearch }) => hasSearch);
  const inAll = ranked.length === 0 ? undefined : searchDocuments(ranked, text, { limit: mostOfSearch, signal }).catch(() => undefined);
  const others = (searched: readonly DescribedType[]) => Promise.all(typesByTitle(searched).map((type) => findIn(type, text, signal)));
  const [best, byTitle] = await Promise.all([inAll, others(ranked)]);
  // Without its index, a type is found as one that has no search.
  if (best === undefined && ranked.length > 0 && !signal.aborted) return (await others([])).flat();
  return [...(best ?? []).map(({ type, ...document }) => command(type, document)), ...byTitle.flat()];
}

/** The type that is shown comes first; more than a few would ask too much of the server. */
function typesByTitle(searched: readonly DescribedType[]): readonly DescribedType[] {
  const [area, name] = place.value.path;
  const types = editableTypes.value.filter(
    (type) => type.kind === 'collectionType' && may(type, 'find') && type.title !== undefined && !searched.includes(type),
  );
  const shown = types.filter((type) => area === 'content' && pathNameOf(type) === name);
  return [...shown, ...types.filter((type) => !shown.includes(type))].slice(0, mostTypes);
}

async function findIn(type: DescribedType, text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const found = await findDocuments(type, text, { limit: mostOfType, order: 'latest', signal }).catch(() => []);
  return found.map((document) => command(type, document));
}

function command(type: DescribedType, { documentId, title }: ChosenDocument): Command {
  const path = ['content', pathNameOf(type), ...(type.kind === 'singleType' ? [] : [documentId])];
  return { id: `${type.uid} ${documentId}`, label: title, hint: type.label, run: () => void go(hrefOf(path)) };
}
