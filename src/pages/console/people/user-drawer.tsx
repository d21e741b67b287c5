/** One user: names, role, ways in. */
import { useState } from 'preact/hooks';
import { me } from '../server/me.ts';
import { settings } from '../server/settings.ts';
import { ask, Dialog } from '../shell/dialog.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { ShownOnce } from './copied.tsx';
import { type ManagedRole, type ManagedUser, makePasswordLink, manage, useLoaded } from './manage.ts';
import { RoleSelect } from './new-user.tsx';
import { UserState } from './user-state.tsx';

interface UserDrawerProps {
  readonly user: ManagedUser;
  readonly roles: readonly ManagedRole[];
  readonly changed: () => Promise<void>;
  readonly close: () => void;
}

export function UserDrawer({ user, roles, changed, close }: UserDrawerProps) {
  const name = user.username ?? user.email ?? String(user.id);
  // Administrators cannot lock themselves out.
  const isSelf = user.id === me.value?.user?.id;
  const change = async (data: unknown, done: string): Promise<boolean> => {
    const { ok, failure } = await manage('PATCH', `/users/${user.id}`, { data });
    if (!ok) notifyFailure(failure);
    else {
      await changed();
      notify({ text: done });
    }
    return ok;
  };
  const block = async () => {
    const isBlocked = user.blocked === true;
    const question = {
      title: say('people.blockTitle', { name }),
      text: say('people.blockText'),
      yes: say('people.block'),
      isDangerous: true,
    };
    if (!isBlocked && !(await ask(question))) return;
    await change({ blocked: !isBlocked }, say(isBlocked ? 'people.wasUnblocked' : 'people.wasBlocked', { name }));
  };
  const remove = async () => {
    const question = {
      title: say('people.deleteTitle', { name }),
      text: say('people.deleteText'),
      yes: say('people.delete'),
      isDangerous: true,
    };
    if (!(await ask(question))) return;
    const { ok, failure } = await manage('DELETE', `/users/${user.id}`);
    if (!ok) return notifyFailure(failure);
    close();
    await changed();
    notify({ text: say('people.wasDeleted', { name }) });
  };
  return (
    <Dialog title={name} close={close} kind="side">
      <p>
        <UserState user={user} />
      </p>
      <UserForm user={user} roles={roles} isSelf={isSelf} change={change} />
      {user.provider !== undefined && user.provider !== null && user.provider !== 'local' ? (
        <p class="soft">{say('people.otherProvider', { provider: user.provider })}</p>
      ) : (
        <PasswordLink user={user} />
      )}
      {settings.value.session?.mode === 'refresh' && <Sessions user={user} />}
      <h3>{say('people.access')}</h3>
      {isSelf ? (
        <p class="soft">{say('people.isYou')}</p>
      ) : (
        <p class="buttons">
          <button type="button" onClick={() => void block()}>
            {say(user.blocked === true ? 'people.unblock' : 'people.block')}
          </button>
          <button type="button" class="danger" onClick={() => void remove()}>
            {say('people.deleteUser')}
          </button>
        </p>
      )}
    </Dialog>
  );
}

interface UserFormProps extends Pick<UserDrawerProps, 'user' | 'roles'> {
  readonly isSelf: boolean;
  readonly change: (data: unknown, done: string) => Promise<boolean>;
}

function UserForm({ user, roles, isSelf, change }: UserFormProps) {
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const [username, email] = [String(data.get('username')).trim(), String(data.get('email')).trim()];
    const role = data.get('role');
    await change({ username, email, ...(role === null ? {} : { role: Number(role) }) }, say('people.wasSaved'));
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <label>
        {say('people.username')}
        <input name="username" autocomplete="off" defaultValue={user.username ?? ''} required />
      </label>
      <label>
        {say('people.email')}
        <input name="email" type="email" autocomplete="off" defaultValue={user.email ?? ''} required />
      </label>
      <RoleSelect key={user.role?.id} roles={roles} value={user.role?.id} isFixed={isSelf} />
      <p class="buttons">
        <button type="submit" class="primary">
          {say('people.save')}
        </button>
      </p>
    </form>
  );
}

function PasswordLink({ user }: Pick<UserDrawerProps, 'user'>) {
  const [url, setUrl] = useState('');
  const make = async () => {
    const made = await makePasswordLink(user.id);
    if ('url' in made) setUrl(made.url);
    else notifyFailure(made.failure);
  };
  return (
    <>
      <h3>{say('people.password')}</h3>
      {url !== '' && <ShownOnce label={say('people.link')} value={url} hint={say('people.linkHint')} />}
      {url === '' && user.blocked === true && <p class="soft">{say('people.noLink')}</p>}
      {url === '' && user.blocked !== true && (
        <>
          <p class="soft">{say('people.makeLinkHint')}</p>
          <button type="button" onClick={() => void make()}>
            {say('people.makeLink')}
          </button>
        </>
      )}
    </>
  );
}

interface ListedSession {
  readonly deviceName: string | null;
  readonly loginAt: string | null;
  readonly lastActiveAt: string;
}

function Sessions({ user }: Pick<UserDrawerProps, 'user'>) {
  const path = `/users/${user.id}/sessions`;
  const { body, reload } = useLoaded(path, () => manage<readonly ListedSession[]>('GET', path));
  const end = async () => {
    const { ok, failure } = await manage('DELETE', path);
    if (!ok) return notifyFailure(failure);
    await reload();
    notify({ text: say('people.sessionsEnded') });
  };
  if (body === undefined) return null;
  return (
    <>
      <h3>{say('people.sessions')}</h3>
      {body.data.length === 0 && <p class="soft">{say('people.noSessions')}</p>}
      {body.data.length > 0 && (
        <>
          <ul class="people-sessions">
            {body.data.map(({ deviceName, loginAt, lastActiveAt }) => (
              <li key={`${loginAt} ${lastActiveAt}`}>
                <span>{deviceName ?? say('people.device')}</span>{' '}
                <span class="soft">
                  {say('people.lastActive')}: <Ago at={lastActiveAt} />
                </span>
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => void end()}>
            {say('people.endSessions')}
          </button>
        </>
      )}
    </>
  );
}
