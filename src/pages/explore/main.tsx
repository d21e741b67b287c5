/** The page `/explore`: a query is built by clicking, run, and shown with its response. */
import { render } from 'preact';
import { Builder } from './builder.tsx';
import { Caller } from './caller.tsx';
import { ResultView } from './result-view.tsx';
import { follow, loadModel, loadProblem, model, run } from './state.ts';
import { UrlBar } from './url-bar.tsx';

function Page() {
  const described = model.value;
  return (
    <>
      <header>
        <h1>
          <a href="/">Lectern</a> <span class="soft">Explore</span>
        </h1>
        <Caller model={described} />
      </header>
      <main>
        {described === undefined ? (
          <p class="soft" role="status">
            {loadProblem.value === '' ? 'Loading…' : loadProblem.value}
          </p>
        ) : (
          <>
            <UrlBar />
            <div class="columns">
              <section class="controls" aria-label="Query">
                <Builder model={described} />
              </section>
              <ResultView model={described} />
            </div>
          </>
        )}
      </main>
    </>
  );
}

addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  run();
});

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
await loadModel().catch(() => {
  loadProblem.value = 'The server did not respond.';
});
follow();
