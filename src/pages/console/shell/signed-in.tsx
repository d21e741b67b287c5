/** Where a provider leads back to. */
import { useEffect, useState } from 'preact/hooks';
import { say } from '../words/say.ts';
import { place } from './location.ts';
import { finishProvider } from './provider.ts';

export function SignedIn() {
  const [problem, setProblem] = useState('');
  useEffect(() => {
    void finishProvider(place.value.query).then((failed) => {
      if (failed !== undefined) return setProblem(say('signIn.providerFailed', { reason: failed }));
      close();
      // A window that no script opened stays open.
      location.replace('/console');
    });
  }, []);
  return (
    <main class="alone">
      <h1>{say('signIn.title')}</h1>
      <p role="status">{problem === '' ? say('shell.loading') : problem}</p>
      {problem !== '' && <a href="/console">{say('signIn.back')}</a>}
    </main>
  );
}
