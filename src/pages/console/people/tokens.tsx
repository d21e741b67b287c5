/** API tokens: what exists, how long, and when it was last used. */
import { useState } from 'preact/hooks';
import { ask, Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { ShownOnce } from './copied.tsx';
import { Failed } from './failed.tsx';
import { type ManagedToken, manage, useLoaded } from './manage.ts';
import { NewToken } from './new-token.tsx';
import { type IssuedToken, tokenTypes } from './token-types.ts';

export function Tokens() {
  const { body, failure, reload } = useLoaded('', () => manage<readonly ManagedToken[]>('GET', '/tokens'));
  const [isNew, setNew] = useState(false);
  const [issued, setIssued] = useState<IssuedToken>();
  const issue = async (token: IssuedToken) => {
    setNew(false);
    setIssued(token);
    await reload();
  };
  const tokens = body?.data;
  return (
    <section aria-label={say('people.tokens')}>
      <div class="people-tools">
        <p class="soft people-search">{say('people.tokensHint')}</p>
        <button type="button" class="primary" onClick={() => setNew(true)}>
          {say('people.newToken')}
        </button>
      </div>
      {failure !== undefined && <Failed failure={failure} retry={reload} />}
      {tokens === undefined && failure === undefined && <Skeleton />}
      {tokens?.length === 0 && <p class="people-empty">{say('people.noTokens')}</p>}
      {tokens !== undefined && tokens.length > 0 && (
        <table class="people-list">
          <thead>
            <tr>
              <th scope="col">{say('people.name')}</th>
              <th scope="col">{say('people.may')}</th>
              <th scope="col">{say('people.expires')}</th>
              <th scope="col">{say('people.lastUsed')}</th>
              <th scope="col">
                <span class="unseen">{say('people.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} issue={issue} changed={reload} />
            ))}
          </tbody>
        </table>
      )}
      {isNew && <NewToken made={issue} close={() => setNew(false)} />}
      {issued !== undefined && (
        <Dialog title={say('people.tokenMade', { name: issued.name })} close={() => setIssued(undefined)}>
          <ShownOnce label={say('people.secret')} value={issued.secret} hint={say('people.secretHint')} />
        </Dialog>
      )}
    </section>
  );
}

interface TokenRowProps {
  readonly token: ManagedToken;
  readonly issue: (token: IssuedToken) => Promise<void>;
  readonly changed: () => Promise<void>;
}

function TokenRow({ token, issue, changed }: TokenRowProps) {
  const { id, name, description, type, actions, expiresAt, lastUsedAt } = token;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const rotate = async () => {
    const question = {
      title: say('people.rotateTitle', { name }),
      text: say('people.rotateText'),
      yes: say('people.rotate'),
      isDangerous: true,
    };
    if (!(await ask(question))) return;
    const { json, failure } = await manage<IssuedToken>('POST', `/tokens/${id}/rotate`);
    if (json === undefined) notifyFailure(failure);
    else await issue(json.data);
  };
  const remove = async () => {
    const question = {
      title: say('people.deleteTitle', { name }),
      text: say('people.deleteTokenText'),
      yes: say('people.delete'),
      isDangerous: true,
    };
    if (!(await ask(question))) return;
    const { ok, failure } = await manage('DELETE', `/tokens/${id}`);
    if (!ok) return notifyFailure(failure);
    await changed();
    notify({ text: say('people.wasDeleted', { name }) });
  };
  const label = tokenTypes.find(([each]) => each === type)?.[1];
  return (
    <tr>
      <th scope="row">
        {name}
        <span class="people-second">{description}</span>
      </th>
      <td data-label={say('people.may')}>
        {type === 'custom' ? say('people.rightsOf', { count: actions.length }) : label === undefined ? type : say(label)}
      </td>
      <td data-label={say('people.expires')}>
        {expiresAt === null ? say('people.never') : <Ago at={expiresAt} />}{' '}
        {isExpired && <span class="chip warn">{say('people.expired')}</span>}
      </td>
      <td data-label={say('people.lastUsed')}>
        {lastUsedAt === null ? <span class="soft">{say('people.notUsed')}</span> : <Ago at={lastUsedAt} />}
      </td>
      <td class="people-buttons">
        <button type="button" disabled={isExpired} aria-label={say('people.rotateOf', { name })} onClick={() => void rotate()}>
          {say('people.rotate')}
        </button>
        <button type="button" class="danger" aria-label={say('people.deleteOf', { name })} onClick={() => void remove()}>
          {say('people.delete')}
        </button>
      </td>
    </tr>
  );
}
