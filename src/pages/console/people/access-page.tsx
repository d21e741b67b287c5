/** `/console/access`: users, roles, API tokens and webhooks, for administrators. */
import type { ComponentType } from 'preact';
import { mayManage } from '../server/me.ts';
import { hrefOf, place } from '../shell/location.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { say, type WordKey } from '../words/say.ts';
import { Roles } from './roles.tsx';
import { Tokens } from './tokens.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const tabs: readonly (readonly [path: string, label: WordKey, page: ComponentType])[] = [
  ['users', 'people.users', Users],
  ['roles', 'people.roles', Roles],
  ['tokens', 'people.tokens', Tokens],
  ['webhooks', 'people.webhooks', Webhooks],
];

export default function AccessPage() {
  const [, tab = 'users'] = place.value.path;
  const found = tabs.find(([path]) => path === tab);
  if (!mayManage() || found === undefined)
    return (
      <div class="page">
        <PageTitle text={say('people.title')} />
        <p>{say(found === undefined ? 'shell.notFound' : 'people.mayNot')}</p>
      </div>
    );
  const [, , Shown] = found;
  return (
    <div class="page people">
      <PageTitle text={say('people.title')} />
      <nav class="people-tabs" aria-label={say('people.title')}>
        {tabs.map(([path, label]) => (
          <a key={path} href={hrefOf(['access', path])} aria-current={path === tab ? 'page' : undefined}>
            {say(label)}
          </a>
        ))}
      </nav>
      <Shown />
    </div>
  );
}
