/** The frame of every page: where one can go, and who one is. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { mayRelease } from '../releases/release.ts';
import { type DescribedType, editableTypes, may, mayManage, mayUse, me, pathNameOf } from '../server/me.ts';
import { signOut } from '../server/session.ts';
import { chooseLanguage, language, languages, say } from '../words/say.ts';
import { isMac } from './keys.ts';
import { hrefOf, place } from './location.ts';
import { openPalette } from './palette.tsx';

const isMenuOpen = signal(false);

export function Layout({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {say('shell.skip')}
      </a>
      <header class="top">
        <button
          type="button"
          class="quiet menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="menu"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          ☰ <span>{say('shell.menu')}</span>
        </button>
        <a class="brand" href="/console">
          Lectern
        </a>
      </header>
      <nav id="menu" class={isMenuOpen.value ? 'menu is-open' : 'menu'} aria-label={say('shell.menu')}>
        <a class="brand" href="/console">
          Lectern
        </a>
        <button
          type="button"
          class="go-to"
          onClick={() => {
            isMenuOpen.value = false;
            openPalette();
          }}
        >
          {say('shell.goTo')} <span aria-hidden="true">{isMac ? '⌘K' : 'Ctrl+K'}</span>
        </button>
        <Links />
        <Account />
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Links() {
  const types = editableTypes.value;
  const readable = (type: DescribedType) => may(type, 'find');
  const collections = types.filter((type) => type.kind === 'collectionType' && readable(type));
  const singles = types.filter((type) => type.kind === 'singleType' && readable(type));
  return (
    <>
      <ul>
        <MenuLink path={[]} label={say('shell.start')} />
      </ul>
      <TypeLinks label={say('shell.collections')} types={collections} />
      <TypeLinks label={say('shell.singles')} types={singles} />
      {mayUse('plugin::upload.content-api.find') && (
        <ul>
          <MenuLink path={['media']} label={say('shell.media')} />
        </ul>
      )}
      {mayRelease() && (
        <ul>
          <MenuLink path={['releases']} label={say('releases.title')} />
        </ul>
      )}
      {mayManage() && (
        <ul>
          <MenuLink path={['access']} label={say('people.title')} />
        </ul>
      )}
    </>
  );
}

function TypeLinks({ label, types }: { readonly label: string; readonly types: readonly DescribedType[] }) {
  if (types.length === 0) return null;
  return (
    <>
      <h2>{label}</h2>
      <ul>
        {types.map((type) => (
          <MenuLink key={type.uid} path={['content', pathNameOf(type)]} label={type.label} />
        ))}
      </ul>
    </>
  );
}

function MenuLink({ path, label }: { readonly path: readonly string[]; readonly label: string }) {
  const [area, name] = place.value.path;
  const isCurrent = area === path[0] && (path.length < 2 || name === path[1]);
  return (
    <li>
      <a
        href={hrefOf(path)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => {
          isMenuOpen.value = false;
        }}
      >
        {label}
      </a>
    </li>
  );
}

function Account() {
  const leave = async () => {
    await signOut();
    location.assign('/console');
  };
  return (
    <div class="account">
      <a href={hrefOf(['account'])}>{me.value?.user?.username}</a>
      <span class="soft">{me.value?.role?.name}</span>
      <label>
        <span class="unseen">{say('shell.language')}</span>
        <select value={language.value} onChange={(event) => void chooseLanguage(event.currentTarget.value)}>
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => void leave()}>
        {say('shell.signOut')}
      </button>
    </div>
  );
}
