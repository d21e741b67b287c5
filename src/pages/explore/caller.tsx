/** The credentials of the requests: none, an API token, or those of a signed-in user. */
import { useState } from 'preact/hooks';
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { become, loadProblem, signIn, token, userName } from './state.ts';

export function Caller({ model }: { readonly model: DescribedModel | undefined }) {
  const who = token.value === '' ? 'anyone (role Public)' : userName.value === '' ? 'a token' : userName.value;
  return (
    <details class="caller">
      <summary>
        Read as <strong>{who}</strong>
      </summary>
      <div class="caller-forms">
        {token.value === '' ? (
          <>
            <TokenForm />
            {model?.canSignIn === true && <SignInForm />}
          </>
        ) : (
          <button type="button" onClick={() => void become('')}>
            Forget the token
          </button>
        )}
        {loadProblem.value !== '' && (
          <p class="problem" role="alert">
            {loadProblem.value}
          </p>
        )}
        <p class="soft">
          The token stays in this browser tab (sessionStorage) and is gone when the tab is closed. It is sent to this server alone, and is
          part of no link and no copied code. A password is not kept.
        </p>
      </div>
    </details>
  );
}

function TokenForm() {
  const [text, setText] = useState('');
  return (
    <form
      aria-label="API token"
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void become(text);
        setText('');
      }}
    >
      <label class="grow">
        <span class="soft">API token or JWT</span>
        <input type="password" autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit">Use the token</button>
    </form>
  );
}

function SignInForm() {
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async () => {
    setProblem(await signIn(identifier, password));
    setPassword('');
  };
  return (
    <form
      aria-label="Sign in"
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label class="grow">
        <span class="soft">User name or e-mail</span>
        <input autocomplete="username" value={identifier} onInput={(event) => setIdentifier(event.currentTarget.value)} />
      </label>
      <label class="grow">
        <span class="soft">Password</span>
        <input
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Sign in</button>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
