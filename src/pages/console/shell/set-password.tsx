/** Where the links of mails and of administrators lead: `/console/set-password#code=…`. */

import { useState } from 'preact/hooks';
import { setPassword } from '../server/session.ts';
import { say } from '../words/say.ts';
import { place } from './location.ts';
import { PageTitle } from './page-title.tsx';

export function SetPassword() {
  const [code] = useState(new URLSearchParams(location.hash.slice(1)).get('code') ?? place.value.query.get('code') ?? '');
  const [problem, setProblem] = useState(code === '' ? say('password.noCode') : '');
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    if (data.get('password') !== data.get('repeat')) return setProblem(say('password.differ'));
    const failed = await setPassword(code, String(data.get('password')));
    if (failed !== undefined) return setProblem(failed);
    // The code is used up, and does not stay in the history.
    location.replace('/console');
  };
  return (
    <main class="alone">
      <PageTitle text={say('password.title')} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          {say('password.new')}
          <input name="password" type="password" autocomplete="new-password" minLength={6} required autofocus />
        </label>
        <label>
          {say('password.repeat')}
          <input name="repeat" type="password" autocomplete="new-password" required />
        </label>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={code === ''}>
          {say('password.submit')}
        </button>
      </form>
    </main>
  );
}
