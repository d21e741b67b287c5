/** Signing in: a page of its own at first, and a dialog above the work when a session has ended. */

import { useState } from 'preact/hooks';
import type { ConsoleProvider } from '../../../http/site/console/console-settings.ts';
import { me } from '../server/me.ts';
import { request } from '../server/request.ts';
import { sendResetMail, signIn } from '../server/session.ts';
import { settings } from '../server/settings.ts';
import { isAsking, signedIn } from '../server/sign-in-again.ts';
import { token } from '../server/token.ts';
import { say } from '../words/say.ts';
import { Dialog } from './dialog.tsx';
import { PageTitle } from './page-title.tsx';
import { openProvider } from './provider.ts';

/** Resolves with why the user cannot go on. */
type Done = () => Promise<string | undefined>;

export function SignInPage({ done }: { readonly done: Done }) {
  return (
    <main class="alone">
      <PageTitle text={say('signIn.title')} />
      <SignInForm done={done} />
    </main>
  );
}

export function SignInAgain() {
  return (
    <Dialog title={say('signIn.again')} close={() => undefined} isRequired>
      <p>{say('signIn.againHint')}</p>
      <SignInForm done={goOn} />
    </Dialog>
  );
}

/** The work on the page is that of one user. Another one gets a page of its own. */
async function goOn(): Promise<string | undefined> {
  const answer = await request<{ readonly user?: { readonly id: number } }>('GET', `${settings.value.prefix}/_me`, { asksAgain: false });
  if (!answer.ok) return answer.failure?.message;
  if (answer.json?.user?.id === me.value?.user?.id) signedIn();
  if (!isAsking.value) return undefined;
  // The requests that wait are the other user's, and go with the page.
  token.value = '';
  location.reload();
  return say('signIn.otherUser');
}

function SignInForm({ done }: { readonly done: Done }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isForgotten, setForgotten] = useState(false);
  const { session, providers, canRequestPassword } = settings.value;
  if (session === null) return <p class="problem">{say('signIn.noSecret')}</p>;
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    setBusy(true);
    const failed = await signIn(String(data.get('identifier')), String(data.get('password')), data.get('keep') === 'on');
    setProblem(failed ?? (await done()) ?? '');
    setBusy(false);
  };
  const withProvider = async (provider: ConsoleProvider) => {
    const failed = await openProvider(provider);
    setProblem(failed === undefined ? ((await done()) ?? '') : say('signIn.providerFailed', { reason: failed }));
  };
  if (isForgotten) return <ForgottenPassword back={() => setForgotten(false)} />;
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          {say('signIn.name')}
          {/* Phones would make an “Editor” of “editor”, which is another user. */}
          <input name="identifier" autocomplete="username" autocapitalize="none" spellcheck={false} required autofocus />
        </label>
        <label>
          {say('signIn.password')}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        {session.mode === 'refresh' && session.cookieSeconds === null && (
          <>
            <label class="check">
              <input name="keep" type="checkbox" aria-describedby="keep-hint" />
              {say('signIn.keep', { days: Math.max(1, Math.floor(session.idleSeconds / 86_400)) })}
            </label>
            <p id="keep-hint" class="soft">
              {say('signIn.notKept')}
            </p>
          </>
        )}
        {session.mode === 'legacy-support' && <p class="soft">{say('signIn.tabOnly')}</p>}
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {say('signIn.submit')}
        </button>
      </form>
      {providers.map((provider) => (
        <p key={provider.name}>
          <button type="button" onClick={() => void withProvider(provider)}>
            {say('signIn.with', { name: provider.label })}
          </button>
        </p>
      ))}
      {canRequestPassword && (
        <p>
          <button type="button" class="link" onClick={() => setForgotten(true)}>
            {say('signIn.forgot')}
          </button>
        </p>
      )}
    </>
  );
}

function ForgottenPassword({ back }: { readonly back: () => void }) {
  const [said, setSaid] = useState('');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const email = String(new FormData(event.currentTarget).get('email'));
        void sendResetMail(email).then((failed) => setSaid(failed ?? say('signIn.mailSent')));
      }}
    >
      <p>{say('signIn.forgotHint')}</p>
      <label>
        {say('signIn.email')}
        <input name="email" type="email" autocomplete="email" required autofocus />
      </label>
      <p role="status">{said}</p>
      <button type="submit" class="primary">
        {say('signIn.sendMail')}
      </button>
      <button type="button" class="link" onClick={back}>
        {say('signIn.back')}
      </button>
    </form>
  );
}
