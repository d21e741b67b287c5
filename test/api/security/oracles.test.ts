/** Two databases that differ in nothing but what a caller may not see. Every question that the model allows is put to both, and the answers have
 *  to be the same: status, body, headers with their tags. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../../src/model/load/load-model.ts';
import { anyEngine, type EngineName, engines } from '../../support/engines.ts';
import { type Hidden, hiddenColumns, hiddenContent, hiddenFiles } from '../../support/hidden-content.ts';
import { type HttpResponse, said } from '../../support/http.ts';
import { isLong } from '../../support/long.ts';
import { questionsAbout } from '../../support/questions.ts';
import { idOf, type Served, useProject } from '../../support/served-project.ts';

const atOnce = 12;
const visibleIn = (response: HttpResponse) => JSON.stringify(said(response));

/** The paths whose responses differ between the two. */
async function differences(who: string, paths: readonly string[], [first, second]: readonly [Served, Served]) {
  const different: unknown[] = [];
  let succeeded = 0;
  const queue = [...paths];
  const work = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const [one, other] = await Promise.all([first.ask(who, 'GET', path), second.ask(who, 'GET', path)]);
      if (one.status === 200) succeeded++;
      if (visibleIn(one) !== visibleIn(other)) different.push({ path, responses: [visibleIn(one), visibleIn(other)] });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { different, succeeded };
}

function useVersion(engine: EngineName, profile: string, hidden: Hidden): Served {
  const served = useProject(engine, { files: hiddenFiles, ...hiddenContent(hidden), env: { LECTERN_PROFILE: profile } });
  beforeAll(async () => {
    await served.change(...hiddenColumns(hidden));
  });
  return served;
}

/** Each engine asks a quarter of more than a thousand questions about what is near, and of those through relations, tens of thousands, every so-manieth.
 *  `npm run test:long` asks all of the former, and a release all (`LECTERN_TEST_ORACLE_EVERY=1`). */
const every = Number(process.env.LECTERN_TEST_ORACLE_EVERY ?? (isLong ? 10 : 150));

function questions(served: Served, name: string, engine: EngineName): readonly string[] {
  const loaded = loadModel(served.project.dir, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error('the model does not load');
  const type = loaded.model.contentTypes.get(name === 'user' ? 'plugin::users-permissions.user' : `api::${name}.${name}`);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  const { near, far } = questionsAbout(type, loaded.model);
  const nth = (part: number) => (_: string, at: number) => at % part === engines.indexOf(engine) % part;
  const queries = [...near.filter(nth(isLong ? 1 : near.length < 1000 ? 2 : 4)), ...far.filter(nth(every))];
  const document = `/api/${name}s/${name === 'user' ? '1' : idOf(name, documents[name] ?? '')}`;
  return [
    ...queries.map((query) => `/api/${name}s?${query}`),
    ...queries.filter((_, at) => at % 7 === 0).map((query) => `${document}?${query}`),
  ];
}

const documents: Readonly<Record<string, string>> = { article: 'one', topic: 'sea', report: 'first' };

const cases = [
  {
    what: 'drafts, types that may not be read, creators, private values and passwords',
    profile: 'specification',
    who: 'users',
    names: ['article', 'topic', 'report', 'user'],
    second: { values: 'beta', entries: 'beta' },
  },
  {
    what: 'private values and passwords, to whom everything is open',
    profile: 'strapi',
    who: 'full',
    names: ['article', 'topic', 'user'],
    second: { values: 'beta', entries: 'alpha' },
  },
] as const;

describe.each(engines)('%s: oracles', (engine) => {
  // Nothing is asked of the database in another way for the second one.
  describe.each(cases.slice(0, anyEngine.includes(engine) ? 2 : 1))('$what ($profile)', ({ profile, who, names, second }) => {
    const both = [useVersion(engine, profile, { values: 'alpha', entries: 'alpha' }), useVersion(engine, profile, second)] as const;

    it.each(names)('no request about %s distinguishes two databases', { timeout: 600_000 }, async (name) => {
      const paths = questions(both[0], name, engine);
      const { different, succeeded } = await differences(who, paths, both);
      expect(different.slice(0, 3)).toEqual([]);
      // Not all of it was refused, and what was not is worth the name.
      expect(paths.length).toBeGreaterThan(250);
      expect(succeeded).toBeGreaterThan(100);
    });

    it('a caller who may see the difference does see it', async () => {
      const path = profile === 'strapi' ? '/api/articles?status=draft' : '/api/articles?status=draft&populate=author';
      const [one, other] = [await both[0].ask('full', 'GET', path), await both[1].ask('full', 'GET', path)];
      expect(visibleIn(one) === visibleIn(other)).toBe(second.entries === 'alpha');
      const rows = await Promise.all(both.map((served) => served.query('SELECT hush FROM articles WHERE hush IS NOT NULL')));
      expect(rows[0]).not.toEqual(rows[1]);
    });
  });
});
