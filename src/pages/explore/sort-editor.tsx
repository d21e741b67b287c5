/** Sort terms in their order. */
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { PathSelect } from './path-select.tsx';
import { newId, type SortTerm } from './query.ts';

interface SortProps {
  readonly model: DescribedModel;
  readonly uid: string;
  readonly terms: readonly SortTerm[];
  readonly label: string;
  readonly onChange: (terms: readonly SortTerm[]) => void;
}

export function SortEditor({ model, uid, terms, label, onChange }: SortProps) {
  const replace = (term: SortTerm) => onChange(terms.map((each) => (each.id === term.id ? term : each)));
  const move = (index: number, by: number) => {
    const moved = [...terms];
    moved.splice(index + by, 0, ...moved.splice(index, 1));
    onChange(moved);
  };
  return (
    <>
      {terms.map((term, index) => {
        const name = `${label} ${index + 1}`;
        return (
          <div key={term.id} class="row condition">
            <PathSelect
              {...{ model, uid, path: term.path, label: name, mayEndAtRelation: false }}
              onChange={(path) => replace({ ...term, path })}
            />
            <select
              aria-label={`${name}: direction`}
              value={term.direction}
              onChange={(event) => replace({ ...term, direction: event.currentTarget.value === 'desc' ? 'desc' : 'asc' })}
            >
              <option value="asc">ascending</option>
              <option value="desc">descending</option>
            </select>
            <span class="buttons">
              <button type="button" class="quiet" disabled={index === 0} onClick={() => move(index, -1)} aria-label={`${name}: move up`}>
                ↑
              </button>
              <button
                type="button"
                class="quiet"
                disabled={index === terms.length - 1}
                onClick={() => move(index, 1)}
                aria-label={`${name}: move down`}
              >
                ↓
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() => onChange(terms.filter((each) => each.id !== term.id))}
                aria-label={`${name}: remove`}
              >
                ✕
              </button>
            </span>
          </div>
        );
      })}
      <div class="row">
        <button
          type="button"
          onClick={() => onChange([...terms, { id: newId(), path: [], direction: 'asc' }])}
          aria-label={`${label}: add a term`}
        >
          + term
        </button>
      </div>
    </>
  );
}
