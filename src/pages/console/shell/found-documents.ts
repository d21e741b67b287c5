/** Documents whose titles contain what is typed into the command palette. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { findDocuments } from '../lists/find-documents.ts';
import { type DescribedType, editableTypes, may, pathNameOf } from '../server/me.ts';
import type { Command } from './commands.ts';
import { go, hrefOf, place } from './location.ts';

const fewestLetters = 2;
const pause = 200;
const mostTypes = 5;
const mostOfType = 5;

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
      const found = await Promise.all(searchedTypes().map((type) => findIn(type, wanted, running.signal)));
      if (running.signal.aborted) return;
      documents.value = found.flat();
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

/** The type that is shown comes first; more than a few would ask too much of the server. */
function searchedTypes(): readonly DescribedType[] {
  const [area, name] = place.value.path;
  const types = editableTypes.value.filter((type) => type.kind === 'collectionType' && may(type, 'find') && type.title !== undefined);
  const shown = types.filter((type) => area === 'content' && pathNameOf(type) === name);
  return [...shown, ...types.filter((type) => !shown.includes(type))].slice(0, mostTypes);
}

async function findIn(type: DescribedType, text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const found = await findDocuments(type, text, { limit: mostOfType, order: 'latest', signal }).catch(() => []);
  return found.map(({ documentId, title }) => ({
    id: `${type.uid} ${documentId}`,
    label: title,
    hint: type.label,
    run: () => void go(hrefOf(['content', pathNameOf(type), documentId])),
  }));
}
