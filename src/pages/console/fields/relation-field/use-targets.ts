/** Documents that are found while somebody types, page by page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LinkedDocument } from '../../document/values.ts';
import { request } from '../../server/request.ts';
import { pageOf, searchQuery, type TargetSearch } from './targets.ts';

export interface Targets {
  readonly rows: readonly LinkedDocument[];
  readonly total: number | undefined;
  readonly hasMore: boolean;
  /** Whether they are not those of the text yet. */
  readonly isLoading: boolean;
  readonly problem: string | undefined;
  /** Reads the next page. */
  readonly more: () => void;
}

const typingPause = 200;

interface Found {
  /** What was searched. */
  readonly text: string;
  readonly rows: readonly LinkedDocument[];
  readonly page: number;
  readonly pages: number;
  readonly total: number | undefined;
  readonly problem: string | undefined;
}

const nothing: Found = { text: '', rows: [], page: 0, pages: 0, total: undefined, problem: undefined };

export function useTargets(search: Omit<TargetSearch, 'page'>, isWanted: boolean): Targets {
  const [found, setFound] = useState(nothing);
  const [isLoading, setLoading] = useState(false);
  const aborting = useRef<AbortController>();
  const wasWanted = useRef(false);
  const read = async (page: number) => {
    aborting.current?.abort();
    const own = new AbortController();
    aborting.current = own;
    setLoading(true);
    const { type } = search;
    const answer = await request('GET', type.path, { query: searchQuery({ ...search, page }), signal: own.signal }).catch(() => undefined);
    if (answer === undefined || own.signal.aborted) return;
    setLoading(false);
    const { rows, pages, total } = pageOf(answer.json, page);
    setFound((former) => ({
      text: search.text,
      rows: page === 1 ? rows : [...former.rows, ...rows],
      page,
      pages,
      total,
      problem: answer.failure?.message,
    }));
  };
  const { type, locale, text, status, sort } = search;
  useEffect(() => {
    if (!isWanted) return;
    // At once when the list opens; when the typing pauses after that.
    const timer = setTimeout(() => void read(1), wasWanted.current ? typingPause : 0);
    wasWanted.current = true;
    return () => clearTimeout(timer);
  }, [type, locale, text, status, sort, isWanted]);
  useEffect(() => () => aborting.current?.abort(), []);
  return {
    rows: found.rows,
    total: found.total,
    hasMore: found.page < found.pages,
    isLoading: isLoading || found.page === 0 || found.text !== text,
    problem: found.problem,
    more: () => void read(found.page + 1),
  };
}
