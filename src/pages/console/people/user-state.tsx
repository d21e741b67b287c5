import { say } from '../words/say.ts';
import type { ManagedUser } from './manage.ts';

export function UserState({ user }: { readonly user: ManagedUser }) {
  if (user.blocked === true) return <span class="chip warn">{say('people.blocked')}</span>;
  if (user.confirmed !== true) return <span class="chip">{say('people.unconfirmed')}</span>;
  return <span class="soft">{say('people.active')}</span>;
}
