/** The statements of the query and the plans of the database; only in development. */
import { useEffect, useState } from 'preact/hooks';
import type { ExplainedStatement } from '../../pipeline/call.ts';
import { loadStatements, result, token } from './state.ts';

/** Statements that are shown at first. */
const maxShown = 30;

export function Statements() {
  const [found, setFound] = useState<readonly ExplainedStatement[] | string>('');
  const [isAll, setAll] = useState(false);
  const url = result.value?.url;
  const caller = token.value;
  useEffect(() => {
    let isLeft = false;
    setAll(false);
    if (url !== undefined) void loadStatements(url).then((statements) => !isLeft && setFound(statements));
    return () => {
      isLeft = true;
    };
  }, [url, caller]);
  if (typeof found === 'string') return <p class="soft">{found}</p>;
  return (
    <>
      <p class="soft">In development only. Nothing of this was run: the database was asked for its plans.</p>
      {found.slice(0, isAll ? found.length : maxShown).map(({ name, sql, parameters, plan }) => (
        <article key={name} class="statement">
          <h2>{name}</h2>
          <pre>{sql}</pre>
          {parameters.length > 0 && (
            <p class="soft">
              with <code>{JSON.stringify(parameters).slice(0, 2000)}</code>
            </p>
          )}
          <pre class="plan">{plan.join('\n')}</pre>
        </article>
      ))}
      {!isAll && found.length > maxShown && (
        <button type="button" onClick={() => setAll(true)}>
          Show all ({found.length} statements)
        </button>
      )}
    </>
  );
}
