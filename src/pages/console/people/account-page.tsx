/** `/console/account`: the user's own password, sessions and language. */

import { useState } from 'preact/hooks';
import { mayUse, me } from '../server/me.ts';
import { request } from '../server/request.ts';
import { changePassword, forgetSession } from '../server/session.ts';
import { settings } from '../server/settings.ts';
import { ask } from '../shell/dialog.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { Ago } from '../shell/time.tsx';
import { chooseLanguage, language, languages, say } from '../words/say.ts';
import { useLoaded } from './manage.ts';

const mayAuth = (action: string) => mayUse(`plugin::users-permissions.auth.${action}`);

export default function AccountPage() {
  const { user, role } = me.value ?? {};
  return (
    <div class="page people people-account">
      <PageTitle text={say('people.accountTitle')} />
      <dl class="people-facts">
        <dt>{say('people.username')}</dt>
        <dd>{user?.username}</dd>
        <dt>{say('people.email')}</dt>
        <dd>{user?.email}</dd>
        <dt>{say('people.role')}</dt>
        <dd>{role?.name}</dd>
      </dl>
      <h2 id="people-language">{say('shell.language')}</h2>
      <select aria-labelledby="people-language" value={language.value} onChange={(event) => void chooseLanguage(event.currentTarget.value)}>
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      {mayAuth('changePassword') && <Password />}
      {settings.value.session?.mode === 'refresh' && mayAuth('getSessions') && <OwnSessions />}
    </div>
  );
}

function Password() {
  const [problem, setProblem] = useState('');
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name));
    if (text('password') !== text('repeat')) return setProblem(say('password.differ'));
    const failed = await changePassword(text('current'), text('password'));
    setProblem(failed ?? '');
    if (failed !== undefined) return;
    form.reset();
    notify({ text: say('people.passwordChanged') });
  };
  return (
    <>
      <h2>{say('people.changePassword')}</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {/* Password managers need to know whose password it is. */}
        <input
          class="unseen"
          type="text"
          autocomplete="username"
          value={me.value?.user?.username ?? ''}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <label>
          {say('people.currentPassword')}
          <input name="current" type="password" autocomplete="current-password" required />
        </label>
        <label>
          {say('password.new')}
          <input name="password" type="password" autocomplete="new-password" minLength={6} required />
        </label>
        <label>
          {say('password.repeat')}
          <input name="repeat" type="password" autocomplete="new-password" required />
        </label>
        <p class="soft">{say('people.passwordHint')}</p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button type="submit" class="primary">
            {say('password.submit')}
          </button>
        </p>
      </form>
    </>
  );
}

interface OwnSession {
  readonly id: string;
  readonly deviceName?: string;
  readonly current: boolean;
  readonly loginAt?: string;
  readonly lastActiveAt: string;
}

function OwnSessions() {
  const auth = `${settings.value.prefix}/auth`;
  const { body, reload } = useLoaded('', () => request<{ readonly data: readonly OwnSession[] }>('GET', `${auth}/sessions`));
  const end = async ({ id }: OwnSession) => {
    const { ok, failure } = await request('DELETE', `${auth}/sessions/${encodeURIComponent(id)}`);
    if (!ok) return notifyFailure(failure);
    await reload();
    notify({ text: say('people.sessionEnded') });
  };
  const endAll = async () => {
    if (!(await ask({ title: say('people.endAllTitle'), text: say('people.endAllText'), yes: say('people.endAll') }))) return;
    const { ok, failure } = await request('POST', `${auth}/logout`, { body: { scope: 'all' } });
    if (!ok) return notifyFailure(failure);
    forgetSession();
    location.assign('/console');
  };
  const sessions = body?.data ?? [];
  return (
    <>
      <h2>{say('people.ownSessions')}</h2>
      <ul class="people-sessions">
        {sessions.map((session) => (
          <li key={session.id}>
            <span>
              {session.deviceName ?? say('people.device')} {session.current && <span class="chip good">{say('people.thisSession')}</span>}
              <span class="people-second">
                {session.loginAt !== undefined && (
                  <>
                    {say('people.signedIn')} <Ago at={session.loginAt} />
                    {' · '}
                  </>
                )}
                {say('people.lastActive')} <Ago at={session.lastActiveAt} />
              </span>
            </span>
            {!session.current && mayAuth('revokeSession') && (
              <button type="button" onClick={() => void end(session)}>
                {say('people.endSession')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayAuth('logout') && (
        <button type="button" onClick={() => void endAll()}>
          {say('people.endAll')}
        </button>
      )}
    </>
  );
}
