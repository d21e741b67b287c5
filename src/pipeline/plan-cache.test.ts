import { describe, expect, it } from 'vitest';
import { ReadStages } from '../../test/support/stages/read-stages.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { fixedFit } from './parse/plan-parameters.ts';
import { unshapedQuery } from './parse/query-shape.ts';
import { PlanCache } from './plan-cache.ts';
import { type Unlisted, UnlistedComponents } from './unlisted-components.ts';

const stages = new ReadStages('strapi');
const compiled = stages.compile({ query: 'tags?fields=name' }, sqlite);
const link: Unlisted = { zone: 'api::article.article.blocks', component: 'part.link' };
const unknown: Unlisted = { ...link, component: 'part.removed' };

/** Notes which plans were made and run. `met`: what each run meets, in turn. */
function recorded({ plans = 10, characters = 1_000_000 } = {}, ...met: readonly (readonly Unlisted[] | undefined)[]) {
  const cache = new PlanCache({ plans, characters }, new UnlistedComponents(stages.magazine.model));
  const log: string[] = [];
  let runs = 0;
  const ask = (key: string) =>
    cache.run({
      key,
      query: unshapedQuery(''),
      user: new Map(),
      compile(wider) {
        log.push(wider ? 'compile a wider plan' : `compile ${key}`);
        return { compiled, fit: fixedFit({ kind: 'none' }) };
      },
      async run({ id }) {
        log.push(`run ${id}`);
        const unlisted = met[runs];
        runs++;
        return { unlisted };
      },
    });
  return { ask, log };
}

it('makes one plan for each key', async () => {
  const { ask, log } = recorded();
  for (const key of ['a', 'b', 'a']) await ask(key);
  expect(log).toEqual(['compile a', 'run 1', 'compile b', 'run 2', 'run 1']);
});

it('runs again with a wider plan, which later requests use as well', async () => {
  const { ask, log } = recorded({}, [link]);
  expect(await ask('a')).toEqual({ unlisted: undefined });
  await ask('a');
  expect(log).toEqual(['compile a', 'run 1', 'compile a wider plan', 'run 2', 'run 2']);
});

it('does not run again for a component that the model does not have', async () => {
  const { ask, log } = recorded({}, [unknown]);
  await ask('a');
  expect(log).toEqual(['compile a', 'run 1']);
});

it('forgets the oldest plans beyond its size', async () => {
  for (const size of [{ plans: 1 }, { characters: 600 }]) {
    const { ask, log } = recorded(size);
    for (const key of ['a', 'b', 'a']) await ask(key);
    expect(log.filter((line) => line.startsWith('compile'))).toEqual(['compile a', 'compile b', 'compile a']);
  }
});

describe('plans of one shape', () => {
  /** Each plan fits the values that begin as the value that it was made for. */
  function variants(fitsShape: boolean) {
    const cache = new PlanCache({ plans: 10, characters: 1_000_000 }, new UnlistedComponents(stages.magazine.model));
    const bindings = { values: [], pagination: { kind: 'none' } } as const;
    let made = 0;
    const ask = async (value: string) => {
      const before = made;
      const fit = { fitsShape, size: 0, bindings: ([other = '']: readonly string[]) => (other[0] === value[0] ? bindings : undefined) };
      const query = { text: `_q=${value}`, shape: '_q=\0', values: [value] };
      const compile = () => {
        made++;
        return { compiled, fit };
      };
      await cache.run({ key: 'a', query, user: new Map(), compile, run: async () => ({ unlisted: undefined }) });
      return made > before ? 'made' : 'found';
    };
    return async (...values: readonly string[]) => {
      const responses: string[] = [];
      for (const value of values) responses.push(await ask(value));
      return responses.join(' ');
    };
  }

  it('serve every query that they fit', async () => {
    expect(await variants(true)('a1', 'a2', 'b1', 'a3', 'b2')).toBe('made found made found found');
  });

  it('are the four that were used last', async () => {
    expect(await variants(true)('a', 'b', 'c', 'd', 'a', 'e', 'a', 'b')).toBe('made made made made found made found made');
  });

  it('serve one text only if they are closed', async () => {
    expect(await variants(false)('a1', 'a2', 'a1')).toBe('made made found');
  });
});
