import { expect, it } from 'vitest';
import { ReadStages } from '../../test/support/stages/read-stages.ts';
import { sqlite } from '../dialects/sqlite.ts';
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
      compile(wider) {
        log.push(wider ? 'compile a wider plan' : `compile ${key}`);
        return compiled;
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
  for (const size of [{ plans: 1 }, { characters: 1000 }]) {
    const { ask, log } = recorded(size);
    for (const key of ['a', 'b', 'a']) await ask(key);
    expect(log.filter((line) => line.startsWith('compile'))).toEqual(['compile a', 'compile b', 'compile a']);
  }
});
