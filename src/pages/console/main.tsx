/** The page `/console`: content is written, illustrated and published. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { loadExtensions } from './extensions/loaded.ts';
import { JobsPanel } from './lists/jobs-panel.tsx';
import { loadMe, me } from './server/me.ts';
import { refresh, signOut } from './server/session.ts';
import { loadSettings } from './server/settings.ts';
import { isAsking } from './server/sign-in-again.ts';
import { token } from './server/token.ts';
import { Questions } from './shell/dialog.tsx';
import { Skeleton } from './shell/later.tsx';
import { Layout } from './shell/layout.tsx';
import { followLinks, place } from './shell/location.ts';
import { Notices } from './shell/notices.tsx';
import { Pages } from './shell/pages.tsx';
import { Palette } from './shell/palette.tsx';
import { SetPassword } from './shell/set-password.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { SignInAgain, SignInPage } from './shell/sign-in.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { loadLanguage, say } from './words/say.ts';

function Page() {
  const [first] = place.value.path;
  if (first === 'set-password') return <SetPassword />;
  if (first === 'signed-in') return <SignedIn done={enter} />;
  // Only before the page has shown anything: later, the user signs in again in place.
  if (me.value === undefined) return token.value === '' ? <SignInPage done={enter} /> : <NotStarted />;
  return (
    <Layout>
      <Pages />
    </Layout>
  );
}

function Root() {
  return (
    <>
      <Page />
      {me.value !== undefined && (
        <>
          <Palette />
          <Shortcuts />
        </>
      )}
      <Questions />
      {isAsking.value && me.value !== undefined && <SignInAgain />}
      <Notices>
        <JobsPanel />
      </Notices>
    </>
  );
}

/** Why the user cannot go on; empty while that is being found out. */
const startProblem = signal('');

/** Resolves with why the user cannot use the console; undefined if it can. */
async function enter(): Promise<string | undefined> {
  startProblem.value = '';
  const [problem] = await Promise.all([loadMe(), loadSettings(), loadExtensions()]);
  startProblem.value = problem ?? '';
  return problem;
}

function NotStarted() {
  if (startProblem.value === '') return <Skeleton />;
  return (
    <main class="alone" role="alert">
      <p>{startProblem.value}</p>
      <p class="buttons">
        <button type="button" class="primary" onClick={() => void enter()}>
          {say('shell.retry')}
        </button>
        <button type="button" onClick={() => void signOut().then(() => location.assign('/console'))}>
          {say('shell.signOut')}
        </button>
      </p>
    </main>
  );
}

const root = document.getElementById('page');
await loadLanguage();
if (await refresh()) await enter();
else await loadSettings();
if (root !== null) render(<Root />, root);
followLinks();
