/** All that is wrong with a document, with links to its fields. */
import type { Signal } from '@preact/signals';
import type { Path } from '../fields/form-context.ts';
import type { DescribedAttribute } from '../server/me.ts';
import type { FieldProblem } from '../server/request.ts';
import { say } from '../words/say.ts';

interface Props {
  readonly problems: Signal<readonly FieldProblem[]>;
  readonly attributes: readonly DescribedAttribute[];
  readonly reveal: (path: Path) => void;
}

/** Leads to the first one, after it has been drawn. */
export function showProblems(): void {
  setTimeout(() => {
    const list = [...document.querySelectorAll<HTMLElement>('.problem-list')].at(-1);
    list?.scrollIntoView({ block: 'center' });
    (list?.querySelector('button') ?? list)?.focus({ preventScroll: true });
  });
}

export function ProblemList({ problems, attributes, reveal }: Props) {
  const listed = problems.value.filter(({ isQuiet }) => isQuiet !== true);
  if (listed.length === 0) return null;
  return (
    <section class="problem-list" role="alert" tabIndex={-1}>
      <h2>{say('document.problems', { count: listed.length })}</h2>
      <ul>
        {listed.map(({ path, message }) => (
          <li key={`${path.join('.')} ${message}`}>
            {path.length === 0 ? (
              message
            ) : (
              <>
                <button type="button" class="link" onClick={() => reveal(path)}>
                  {labelOf(path, attributes)}
                </button>{' '}
                {message}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `['links', 0, 'url']` → `Links › 1 › url` */
function labelOf([first, ...rest]: Path, attributes: readonly DescribedAttribute[]): string {
  const label = attributes.find(({ name }) => name === first)?.label ?? String(first);
  return [label, ...rest.map((step) => (/^\d+$/.test(String(step)) ? Number(step) + 1 : step))].join(' › ');
}
