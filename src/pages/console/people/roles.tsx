/** The roles, and the rights of one. */
import { useState } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { DialogForm } from '../shell/dialog-form.tsx';
import { Skeleton } from '../shell/later.tsx';
import { go, hrefOf, place } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { Failed } from './failed.tsx';
import { type Grantable, type ManagedRole, manage, useLoaded } from './manage.ts';
import { RolePage } from './role-page.tsx';

export function Roles() {
  const [, , id] = place.value.path;
  const roles = useLoaded('', () => manage<readonly ManagedRole[]>('GET', '/roles'));
  const grantable = useLoaded('', () => manage<Grantable>('GET', '/types'));
  const [isNew, setNew] = useState(false);
  const failure = roles.failure ?? grantable.failure;
  if (failure !== undefined)
    return <Failed failure={failure} retry={async () => void (await Promise.all([roles.reload(), grantable.reload()]))} />;
  const list = roles.body?.data;
  if (list === undefined || grantable.body === undefined) return <Skeleton />;
  if (id !== undefined) {
    const role = list.find((each) => String(each.id) === id);
    if (role === undefined) return <p>{say('shell.notFound')}</p>;
    return <RolePage key={role.id} role={role} grantable={grantable.body.data} changed={roles.reload} />;
  }
  return (
    <section aria-label={say('people.roles')}>
      <div class="people-tools">
        <p class="soft people-search">{say('people.rolesHint')}</p>
        <button type="button" class="primary" onClick={() => setNew(true)}>
          {say('people.newRole')}
        </button>
      </div>
      <ul class="cards">
        {list.map((role) => (
          <li key={role.id} class="card">
            <a class="card-title" href={hrefOf(['access', 'roles', String(role.id)])}>
              {role.name}
            </a>
            <p class="soft">{descriptionOf(role)}</p>
            <p class="card-foot">
              <span class="soft">{role.type === 'public' ? say('people.everybody') : say('people.usersOf', { count: role.users })}</span>
              {role.declared && <span class="chip">{say('people.declared')}</span>}
            </p>
          </li>
        ))}
      </ul>
      {isNew && <NewRole made={roles.reload} close={() => setNew(false)} />}
    </section>
  );
}

function descriptionOf({ type, description }: ManagedRole): string {
  if (type === 'public') return say('people.publicRole');
  if (type === 'authenticated') return say('people.authenticatedRole');
  return description;
}

function NewRole({ made, close }: { readonly made: () => Promise<void>; readonly close: () => void }) {
  const submit = async (data: FormData) => {
    const { json, failure } = await manage<ManagedRole>('POST', '/roles', {
      data: { name: String(data.get('name')).trim(), description: String(data.get('description')).trim(), rights: {} },
    });
    if (json === undefined) return failure?.message ?? '';
    await made();
    close();
    await go(hrefOf(['access', 'roles', String(json.data.id)]));
    return undefined;
  };
  return (
    <Dialog title={say('people.newRole')} close={close}>
      <DialogForm yes={say('people.makeRole')} submit={submit} close={close}>
        <label>
          {say('people.name')}
          <input name="name" maxLength={255} required autofocus autocomplete="off" />
        </label>
        <label>
          {say('people.description')}
          <input name="description" maxLength={255} autocomplete="off" />
        </label>
      </DialogForm>
    </Dialog>
  );
}
