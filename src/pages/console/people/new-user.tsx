/** A new user, who sets a password by a link. */
import { useState } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { say } from '../words/say.ts';
import { ShownOnce } from './copied.tsx';
import { type ManagedRole, type ManagedUser, makePasswordLink, manage } from './manage.ts';

interface NewUserProps {
  readonly roles: readonly ManagedRole[];
  readonly added: () => Promise<void>;
  readonly close: () => void;
}

export function NewUser({ roles, added, close }: NewUserProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [link, setLink] = useState<{ readonly name: string; readonly url: string }>();
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const name = String(data.get('username')).trim();
    setBusy(true);
    const user = await manage<ManagedUser>('POST', '/users', {
      data: { username: name, email: String(data.get('email')).trim(), role: Number(data.get('role')), password: newPassword() },
    });
    const id = user.json?.data.id;
    if (id !== undefined) void added();
    const made = id === undefined ? user : await makePasswordLink(id);
    setBusy(false);
    if ('url' in made) setLink({ name, url: made.url });
    else setProblem(made.failure?.message ?? '');
  };
  if (link !== undefined)
    return (
      <Dialog title={say('people.userMade', { name: link.name })} close={close}>
        <ShownOnce label={say('people.link')} value={link.url} hint={say('people.linkHint')} />
      </Dialog>
    );
  return (
    <Dialog title={say('people.newUser')} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          {say('people.username')}
          <input name="username" autocomplete="off" minLength={3} required autofocus />
        </label>
        <label>
          {say('people.email')}
          <input name="email" type="email" autocomplete="off" required />
        </label>
        <RoleSelect roles={roles} value={roles.find(({ type }) => type === 'editor')?.id} />
        <p class="soft">{say('people.newUserHint')}</p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button type="submit" class="primary" disabled={isBusy}>
            {say('people.makeUser')}
          </button>
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

export function RoleSelect({
  roles,
  value,
  isFixed = false,
}: {
  readonly roles: readonly ManagedRole[];
  readonly value: number | undefined;
  readonly isFixed?: boolean;
}) {
  return (
    <label>
      {say('people.role')}
      <select name="role" required disabled={isFixed}>
        {value === undefined && <option value="">{say('people.chooseRole')}</option>}
        {roles.map(({ id, name }) => (
          <option key={id} value={id} selected={id === value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Nobody learns it: the user sets another one. */
function newPassword(): string {
  return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
