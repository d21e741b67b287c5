/** The users: search, and one in a drawer. */
import { useState } from 'preact/hooks';
import { Skeleton } from '../shell/later.tsx';
import { place, setQuery } from '../shell/location.ts';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { Failed } from './failed.tsx';
import { type ManagedRole, type ManagedUser, manage, useLoaded } from './manage.ts';
import { NewUser } from './new-user.tsx';
import { UserDrawer } from './user-drawer.tsx';
import { UserState } from './user-state.tsx';

const pageSize = 25;
/** Milliseconds after the last key. */
const searchDelay = 250;

function listQuery(query: URLSearchParams): string {
  const text = query.get('q') ?? '';
  const [role, state] = [query.get('role') ?? '', query.get('state') ?? ''];
  return new URLSearchParams({
    sort: 'username:asc,id:asc',
    'pagination[page]': query.get('page') ?? '1',
    'pagination[pageSize]': String(pageSize),
    ...(text === '' ? {} : { 'filters[$or][0][username][$containsi]': text, 'filters[$or][1][email][$containsi]': text }),
    ...(role === '' ? {} : { 'filters[role][id][$eq]': role }),
    ...(state === 'blocked' ? { 'filters[blocked][$eq]': 'true' } : {}),
    // A user whom another program has made may have neither.
    ...(state === 'active' ? { 'filters[$not][blocked][$eq]': 'true' } : {}),
  }).toString();
}

export function Users() {
  const query = listQuery(place.value.query);
  const users = useLoaded(query, () => manage<readonly ManagedUser[]>('GET', '/users', { query }));
  const roles = useLoaded('', () => manage<readonly ManagedRole[]>('GET', '/roles')).body?.data ?? [];
  const listed = users.body?.data;
  const { roles: rolesOf, lastActive, reload } = useFurther(listed?.map(({ id }) => id).join(',') ?? '');
  const shown = listed?.map((each) => ({ ...each, role: rolesOf.get(each.id) }));
  const changed = async () => void (await Promise.all([users.reload(), reload()]));
  const [opened, setOpened] = useState<number>();
  const [isNew, setNew] = useState(false);
  const user = shown?.find(({ id }) => id === opened);
  return (
    <section aria-label={say('people.users')}>
      <div class="people-tools">
        <Filters roles={roles} />
        <button type="button" class="primary" onClick={() => setNew(true)}>
          {say('people.newUser')}
        </button>
      </div>
      {users.failure !== undefined && <Failed failure={users.failure} retry={users.reload} />}
      {shown === undefined && users.failure === undefined && <Skeleton />}
      {shown?.length === 0 && <p class="people-empty">{say('people.noUsers')}</p>}
      {shown !== undefined && shown.length > 0 && (
        <table class="people-list">
          <thead>
            <tr>
              <th scope="col">{say('people.name')}</th>
              <th scope="col">{say('people.role')}</th>
              <th scope="col">{say('people.state')}</th>
              <th scope="col">{say('people.lastActive')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <UserRow key={each.id} user={each} lastActive={lastActive.get(each.id)} open={() => setOpened(each.id)} />
            ))}
          </tbody>
        </table>
      )}
      <Pages pagination={users.body?.meta?.pagination} />
      {user !== undefined && <UserDrawer key={user.id} user={user} roles={roles} changed={changed} close={() => setOpened(undefined)} />}
      {isNew && <NewUser roles={roles} added={users.reload} close={() => setNew(false)} />}
    </section>
  );
}

interface Further {
  readonly roles: ReadonlyMap<number, ManagedUser['role']>;
  readonly lastActive: ReadonlyMap<number, string>;
  readonly reload: () => Promise<void>;
}

/** What a list cannot have: a page and `populate` are not asked for together. */
function useFurther(ids: string): Further {
  const { body, reload } = useLoaded(ids, async () => {
    const each = ids.split(',').filter((id) => id !== '');
    const query = new URLSearchParams([['populate[role][fields]', 'name'], ...each.map((id, at) => [`filters[id][$in][${at}]`, id])]);
    const [users, active] =
      each.length === 0
        ? []
        : await Promise.all([
            manage<readonly ManagedUser[]>('GET', '/users', { query: query.toString() }),
            manage<readonly { readonly id: number; readonly lastActiveAt: string }[]>('GET', '/users/last-active', { query: `ids=${ids}` }),
          ]);
    return { json: { users: users?.json?.data ?? [], active: active?.json?.data ?? [] }, failure: users?.failure ?? active?.failure };
  });
  return {
    roles: new Map(body?.users.map(({ id, role }) => [id, role])),
    lastActive: new Map(body?.active.map(({ id, lastActiveAt }) => [id, lastActiveAt])),
    reload,
  };
}

function UserRow({
  user,
  lastActive,
  open,
}: {
  readonly user: ManagedUser;
  readonly lastActive: string | undefined;
  readonly open: () => void;
}) {
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" onClick={open}>
          {user.username ?? user.email ?? user.id}
        </button>
        <span class="people-second">{user.email}</span>
      </th>
      <td data-label={say('people.role')}>{user.role === null ? <span class="soft">{say('people.noRole')}</span> : user.role?.name}</td>
      <td data-label={say('people.state')} class={user.blocked !== true && user.confirmed === true ? 'is-usual' : undefined}>
        <UserState user={user} />
      </td>
      <td data-label={say('people.lastActive')} class={lastActive === undefined ? 'is-usual' : undefined}>
        {lastActive === undefined ? <span class="soft">{say('people.unknown')}</span> : <Ago at={lastActive} />}
      </td>
    </tr>
  );
}

let searching: ReturnType<typeof setTimeout> | undefined;

function Filters({ roles }: { readonly roles: readonly ManagedRole[] }) {
  const { query } = place.value;
  const set = (changes: Readonly<Record<string, string>>) => setQuery({ ...changes, page: undefined }, { replace: true });
  const [text, setText] = useState(query.get('q') ?? '');
  const search = (typed: string) => {
    setText(typed);
    clearTimeout(searching);
    searching = setTimeout(() => set({ q: typed.trim() }), searchDelay);
  };
  return (
    <>
      <input
        type="search"
        class="people-search"
        aria-label={say('people.search')}
        placeholder={say('people.search')}
        value={text}
        onInput={(event) => search(event.currentTarget.value)}
      />
      <select
        aria-label={say('people.role')}
        value={query.get('role') ?? ''}
        onChange={(event) => set({ role: event.currentTarget.value })}
      >
        <option value="">{say('people.allRoles')}</option>
        {roles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={say('people.state')}
        value={query.get('state') ?? ''}
        onChange={(event) => set({ state: event.currentTarget.value })}
      >
        <option value="">{say('people.allStates')}</option>
        <option value="active">{say('people.notBlocked')}</option>
        <option value="blocked">{say('people.blocked')}</option>
      </select>
    </>
  );
}

function Pages({
  pagination,
}: {
  readonly pagination: { readonly page: number; readonly pageCount: number; readonly total: number } | undefined;
}) {
  if (pagination === undefined || pagination.pageCount <= 1) return null;
  const { page, pageCount } = pagination;
  const to = (number: number) => setQuery({ page: number === 1 ? undefined : String(number) });
  return (
    <p class="buttons">
      <button type="button" disabled={page <= 1} onClick={() => to(page - 1)}>
        {say('people.previous')}
      </button>
      <span role="status">{say('people.page', { page, pages: pageCount })}</span>
      <button type="button" disabled={page >= pageCount} onClick={() => to(page + 1)}>
        {say('people.next')}
      </button>
    </p>
  );
}
