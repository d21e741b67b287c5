/** The response: status, times, JSON, statements, and the query as code. */
import { useState } from 'preact/hooks';
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { CodeView } from './code-view.tsx';
import { JsonView } from './json-view.tsx';
import { type ApiProblem, problem } from './problems.ts';
import { readServerTiming } from './server-timing.ts';
import { type Result, result, runProblem } from './state.ts';
import { Statements } from './statements.tsx';
import { TimingBar } from './timing-bar.tsx';

type Tab = 'JSON' | 'Statements' | 'Code';

export function ResultView({ model }: { readonly model: DescribedModel }) {
  const [tab, setTab] = useState<Tab>('JSON');
  const tabs: Tab[] = model.development ? ['JSON', 'Statements', 'Code'] : ['JSON', 'Code'];
  const found = result.value;
  return (
    <section id="response" class="result" aria-label="Response" tabIndex={-1} data-url={found?.url}>
      <p class="unseen" role="status" aria-live="polite">
        {found === undefined ? runProblem.value : summary(found)}
      </p>
      {found !== undefined && <Facts result={found} />}
      {runProblem.value !== '' && <p class="problem">{runProblem.value}</p>}
      {problem.value !== undefined && <Problem problem={problem.value} />}
      <div class="tabs" role="tablist" aria-label="Views of the response">
        {tabs.map((name, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls="tab-panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => setTab(name)}
            onKeyDown={(event) => {
              const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? tabs.length - 1 : 0;
              const next = tabs[(index + by) % tabs.length];
              if (by === 0 || next === undefined) return;
              event.preventDefault();
              setTab(next);
              document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'JSON' && found !== undefined && <JsonView key={found.url} result={found} />}
        {tab === 'Statements' && <Statements />}
        {tab === 'Code' && <CodeView model={model} />}
      </div>
    </section>
  );
}

const rounded = (milliseconds: number) => (milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toString());

const sizeOf = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function summary({ status, bytes, milliseconds, json }: Result): string {
  const data = typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
  const entries = Array.isArray(data) ? `, ${data.length} ${data.length === 1 ? 'entry' : 'entries'}` : '';
  return `Status ${status}${entries}, ${sizeOf(bytes)}, ${rounded(milliseconds)} milliseconds`;
}

function Facts({ result: { status, statusText, bytes, milliseconds, serverTiming } }: { readonly result: Result }) {
  const timings = readServerTiming(serverTiming);
  return (
    <div class="facts">
      <div class="row">
        <strong class={status < 400 ? 'status good' : 'status bad'}>
          {status} {statusText}
        </strong>
        <span>{sizeOf(bytes)}</span>
        <span>{rounded(milliseconds)} ms in the browser</span>
        {timings.isCached && <span class="tag">from the cache</span>}
        {timings.statements !== undefined && (
          <span>
            {timings.statements} {timings.statements === 1 ? 'statement' : 'statements'}
          </span>
        )}
      </div>
      <TimingBar timings={timings} />
    </div>
  );
}

function Problem({ problem: { message, code, hint } }: { readonly problem: ApiProblem }) {
  return (
    <div class="alert" role="alert">
      <p>{message}</p>
      {hint !== '' && hint !== message && <p>{hint}</p>}
      {code !== '' && (
        <p class="soft">
          <code>{code}</code>
        </p>
      )}
    </div>
  );
}
