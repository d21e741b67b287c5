/** The other users that have this document open to change it. */
import { useEffect, useState } from 'preact/hooks';
import { me } from '../server/me.ts';
import { request } from '../server/request.ts';
import { say } from '../words/say.ts';
import type { OpenDocument } from './open-document.ts';

interface Present {
  readonly user: { readonly id: number; readonly username: string };
  readonly locale: string | null;
}

/** Milliseconds between two signs of life; the server forgets whoever gave none for 45 s. */
const interval = 20_000;

export function Presence({ opened }: { readonly opened: OpenDocument }) {
  const others = useOthers(opened);
  if (others.length === 0) return null;
  const names = [...new Set(others.map(({ user }) => user.username))].join(', ');
  return (
    <p class="presence" role="status">
      {say('document.presence', { names })}
    </p>
  );
}

function useOthers(opened: OpenDocument): readonly Present[] {
  const [others, setOthers] = useState<readonly Present[]>([]);
  const documentId = opened.documentId.value;
  const mayWrite = opened.attributes.some((each) => opened.mayWrite(each));
  useEffect(() => {
    if (documentId === undefined || !mayWrite || me.value?.kind !== 'user') return;
    const path = `${me.value.prefix}/_presence/${opened.type.uid}/${encodeURIComponent(documentId)}`;
    const beat = async () => {
      if (document.visibilityState === 'hidden') return;
      // Nobody is asked to sign in for this, in the middle of a sentence.
      const options = { body: { locale: opened.locale ?? null }, asksAgain: false };
      const answer = await request<{ readonly data: readonly Present[] }>('POST', path, options);
      setOthers(answer.json?.data ?? []);
    };
    // After what the form itself asks for.
    const first = setTimeout(() => void beat(), 1000);
    const timer = setInterval(() => void beat(), interval);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      void request('DELETE', path, { asksAgain: false });
    };
  }, [opened, documentId, mayWrite]);
  return others;
}
