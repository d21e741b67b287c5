/** Where a provider leads back to. */

import { useEffect, useState } from 'preact/hooks';
import { say } from '../words/say.ts';
import { go, place } from './location.ts';
import { PageTitle } from './page-title.tsx';
import { finishProvider } from './provider.ts';

/** `done`: goes on in this window. */
export function SignedIn({ done }: { readonly done: () => Promise<unknown> }) {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    void finishProvider(place.value.query).then(async (failed) => {
      if (failed !== undefined) return setProblem(say('signIn.providerFailed', { reason: failed }));
      close();
      // A window that no script opened stays open, and without cookies only its memory has the token.
      await done();
      await go('/console', { replace: true });
    });
  }, []);
  return (
    <main class="alone">
      <PageTitle text={say('signIn.title')} />
      <p role="status">{problem === '' ? say('shell.loading') : problem}</p>
      {problem !== '' && <a href="/console">{say('signIn.back')}</a>}
    </main>
  );
}
