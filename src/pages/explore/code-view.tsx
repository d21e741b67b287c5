/** The query as code. */
import { useState } from 'preact/hooks';
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { languages } from './code.ts';
import { CopyButton } from './copy-button.tsx';
import { query, token, unshown, url } from './state.ts';

export function CodeView({ model }: { readonly model: DescribedModel }) {
  const [name, setName] = useState('curl');
  const language = languages.find((each) => each.name === name);
  const hasToken = token.value !== '';
  const text =
    language?.write({
      query: query.value,
      model,
      url: url.value,
      isComplete: unshown.value.length === 0,
      origin: location.origin,
      hasToken,
    }) ?? '';
  return (
    <>
      <div class="row">
        <select aria-label="Copy as" value={name} onChange={(event) => setName(event.currentTarget.value)}>
          {languages.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
        <CopyButton label={`Copy as ${name}`} text={() => text} />
      </div>
      <pre class="code">{text}</pre>
      {hasToken && name !== 'URL' && (
        <p class="soft">
          The token is read from the environment: set <code>API_TOKEN</code>.
        </p>
      )}
    </>
  );
}
