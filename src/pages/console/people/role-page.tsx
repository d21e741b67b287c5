/** The rights of a role. What changes is listed before it is saved. */
import { useEffect, useState } from 'preact/hooks';
import { loadMe, me } from '../server/me.ts';
import { ask, Dialog } from '../shell/dialog.tsx';
import { go, guardLeaving, hrefOf } from '../shell/location.ts';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { rightWords } from './action-words.ts';
import { type Grantable, type ManagedRole, manage } from './manage.ts';
import { changesBetween, managementKey, type RightsChanges, readRights, withChanges, writeRights } from './rights.ts';
import { RightsGrid } from './rights-grid.tsx';

interface RolePageProps {
  readonly role: ManagedRole;
  readonly grantable: Grantable;
  readonly changed: () => Promise<void>;
}

/** Roles that everybody can have. */
const openRoles = ['public', 'authenticated'];

export function RolePage({ role, grantable, changed }: RolePageProps) {
  const before = readRights(role.rights);
  const [rights, setRights] = useState(before);
  const [isAsking, setAsking] = useState(false);
  const changes = changesBetween(before, rights);
  const count = changes.given.length + changes.taken.length;
  const isOwn = role.id === me.value?.role?.id;
  useEffect(() => {
    if (count === 0) return;
    guardLeaving(() => ask({ title: say('people.leaveTitle'), text: say('people.leaveText'), yes: say('people.leave') }));
    return () => guardLeaving(undefined);
  }, [count === 0]);
  const save = async () => {
    const keys = [...grantable.types.map(({ uid }) => uid), ...grantable.controllers.map(({ key }) => key)];
    // Another administrator may have changed it meanwhile.
    const stored = await manage<ManagedRole>('GET', `/roles/${role.id}`);
    const next = stored.json && withChanges(readRights(stored.json.data.rights), rights, changes);
    const answer = next && (await manage('PUT', `/roles/${role.id}`, { data: { rights: writeRights(next, keys) } }));
    setAsking(false);
    if (next === undefined || answer?.ok !== true) return notifyFailure(stored.failure ?? answer?.failure);
    setRights(next);
    await changed();
    if (isOwn) await loadMe();
    notify({ text: say('people.wasSaved') });
  };
  return (
    <section aria-label={role.name}>
      <p>
        <a href={hrefOf(['access', 'roles'])}>← {say('people.roles')}</a>
      </p>
      <h2 class="people-role">{role.name}</h2>
      {role.declared ? <p class="people-note">{say('people.declaredHint')}</p> : <RoleNote role={role} isOwn={isOwn} />}
      <RightsGrid
        grantable={grantable}
        rights={rights}
        before={before}
        change={role.declared ? undefined : setRights}
        canManage={!openRoles.includes(role.type)}
      />
      {!role.declared && (
        <p class="buttons people-save">
          <button type="button" class="primary" disabled={count === 0} onClick={() => setAsking(true)}>
            {say('people.review')}
          </button>
          <span class="soft" role="status">
            {count === 0 ? '' : say('people.changes', { count })}
          </span>
          {!openRoles.includes(role.type) && !isOwn && <DeleteRole role={role} changed={changed} />}
        </p>
      )}
      {isAsking && (
        <Review
          title={say('people.reviewTitle', { name: role.name })}
          changes={changes}
          grantable={grantable}
          losesAccess={isOwn && changes.taken.includes(`${managementKey}.access`)}
          save={() => void save()}
          close={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function RoleNote({ role, isOwn }: { readonly role: ManagedRole; readonly isOwn: boolean }) {
  if (role.type === 'public') return <p class="soft">{say('people.publicHint')}</p>;
  return <p class="soft">{isOwn ? say('people.ownRole') : say('people.usersOf', { count: role.users })}</p>;
}

interface ReviewProps {
  readonly title: string;
  readonly changes: RightsChanges;
  readonly grantable: Grantable;
  readonly losesAccess: boolean;
  readonly save: () => void;
  readonly close: () => void;
}

function Review({ title, changes, grantable, losesAccess, save, close }: ReviewProps) {
  const givesAll = changes.given.includes(`${managementKey}.access`);
  return (
    <Dialog title={title} close={close}>
      <ChangeList title={say('people.given')} actions={changes.given} grantable={grantable} />
      <ChangeList title={say('people.taken')} actions={changes.taken} grantable={grantable} />
      {givesAll && <p class="people-note">{say('people.givesAll')}</p>}
      {losesAccess && <p class="people-note">{say('people.losesAccess')}</p>}
      <p class="buttons">
        <button type="button" class="primary" onClick={save}>
          {say('people.save')}
        </button>
        <button type="button" onClick={close}>
          {say('shell.cancel')}
        </button>
      </p>
    </Dialog>
  );
}

function ChangeList({
  title,
  actions,
  grantable,
}: {
  readonly title: string;
  readonly actions: readonly string[];
  readonly grantable: Grantable;
}) {
  if (actions.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {actions.map((action) => (
          <li key={action}>{rightWords(action, grantable)}</li>
        ))}
      </ul>
    </>
  );
}

function DeleteRole({ role, changed }: Pick<RolePageProps, 'role' | 'changed'>) {
  const remove = async () => {
    const text = role.users === 0 ? say('people.deleteUnusedRole') : say('people.deleteRoleText', { count: role.users });
    if (!(await ask({ title: say('people.deleteTitle', { name: role.name }), text, yes: say('people.delete'), isDangerous: true }))) return;
    const { ok, failure } = await manage('DELETE', `/roles/${role.id}`);
    if (!ok) return notifyFailure(failure);
    guardLeaving(undefined);
    await go(hrefOf(['access', 'roles']));
    await changed();
    notify({ text: say('people.wasDeleted', { name: role.name }) });
  };
  return (
    <button type="button" class="danger" onClick={() => void remove()}>
      {say('people.deleteRole')}
    </button>
  );
}
