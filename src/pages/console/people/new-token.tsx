/** A new API token. */
import { useState } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { say, type WordKey } from '../words/say.ts';
import { type Grantable, manage, useLoaded } from './manage.ts';
import type { Rights } from './rights.ts';
import { RightsGrid } from './rights-grid.tsx';
import { type IssuedToken, tokenTypes } from './token-types.ts';

const expiries: readonly (readonly [value: string, label: WordKey])[] = [
  ['30d', 'people.days30'],
  ['90d', 'people.days90'],
  ['365d', 'people.days365'],
  ['never', 'people.never'],
];

const nothing: Rights = new Map();

interface NewTokenProps {
  readonly made: (token: IssuedToken) => Promise<void>;
  readonly close: () => void;
}

export function NewToken({ made, close }: NewTokenProps) {
  const [type, setType] = useState('read-only');
  const [rights, setRights] = useState(nothing);
  const [problem, setProblem] = useState('');
  const isCustom = type === 'custom';
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    if (isCustom && rights.size === 0) return setProblem(say('people.chooseRights'));
    const { json, failure } = await manage<IssuedToken>('POST', '/tokens', {
      data: {
        name: data.get('name'),
        description: data.get('description'),
        type,
        expires: data.get('expires'),
        ...(isCustom ? { actions: [...rights.keys()] } : {}),
      },
    });
    if (json === undefined) setProblem(failure?.message ?? '');
    else await made(json.data);
  };
  return (
    <Dialog title={say('people.newToken')} close={close} kind="wide">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          {say('people.name')}
          <input name="name" maxLength={255} required autofocus autocomplete="off" placeholder={say('people.tokenName')} />
        </label>
        <label>
          {say('people.description')}
          <input name="description" maxLength={255} autocomplete="off" />
        </label>
        <fieldset class="people-choice">
          <legend>{say('people.may')}</legend>
          {tokenTypes.map(([value, label, hint]) => (
            <label key={value} class="check">
              <input type="radio" name="type" value={value} checked={type === value} onChange={() => setType(value)} />
              <span>
                {say(label)} <span class="people-second">{say(hint)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {isCustom && <TokenRights rights={rights} change={setRights} />}
        <label>
          {say('people.expires')}
          <select name="expires">
            {expiries.map(([value, label]) => (
              <option key={value} value={value} selected={value === '90d'}>
                {say(label)}
              </option>
            ))}
          </select>
        </label>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button type="submit" class="primary">
            {say('people.makeToken')}
          </button>
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function TokenRights({ rights, change }: { readonly rights: Rights; readonly change: (rights: Rights) => void }) {
  const { body } = useLoaded('', () => manage<Grantable>('GET', '/types'));
  if (body === undefined) return <Skeleton />;
  return <RightsGrid grantable={body.data} rights={rights} before={nothing} change={change} canManage={false} />;
}
