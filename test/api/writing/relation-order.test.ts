/** Relations keep their order through publishing, edits of the other side and locales: random commands over HTTP, held against a model.
 *  A failing sequence is shrunk and printed as requests. `LECTERN_TEST_ORDER_SEED` varies the sequences, `LECTERN_TEST_ORDER_RUNS` makes more.
 *
 *  The rules speak of versions: a document of a type with drafts has a draft and perhaps a published version in each of its locales, one of a
 *  type without drafts is one version. Drafts link to drafts, published versions to published ones, and what has no drafts links to either.
 *
 *  1. A body gives its own list the order that it says: `set` as it stands there, `connect` at its position or at the end, and what is there
 *     already moves. What it does not name stays where it is. A type without drafts links to both versions of what its body names.
 *  2. In the lists of the other side, what comes is the last, what goes leaves no gap, and what stays keeps its place.
 *  3. Publishing gives the published version the draft's lists in the draft's order, without the targets that have no published version.
 *     Discarding a draft does the same the other way round.
 *  4. What rule 3 brings into the list of another version stands there before the first of those that follow it in that version's draft (when a
 *     draft is discarded: in its published version), at the end when there is none. So lists in the same order stay in the same order. In the
 *     list of what has no drafts it stands behind the version that it was copied from.
 *  5. When a document gets a published version, versions that were published with a one-way link to it link to it, too, at the place where it
 *     stood then; so does what has no drafts, at the place of rule 4. A discarded draft has these links as well.
 *  6. A book stands on one shelf: it leaves the list of the one, as in rule 2, when it comes into that of another.
 *  7. A new locale has no relations but those of its body. What is deleted or unpublished leaves all lists. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { fuzzRuns } from '../../support/long.ts';
import { command, examples } from '../../support/relation-order/commands.ts';
import { Sequence } from '../../support/relation-order/sequence.ts';
import { attributesOf, locales, relations, type TypeName, types } from '../../support/relation-order/types.ts';
import { schemaFiles, type WrittenType } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const seed = Number(process.env.LECTERN_TEST_ORDER_SEED ?? 20_261_121);
const numRuns = Number(process.env.LECTERN_TEST_ORDER_RUNS ?? Math.ceil(fuzzRuns / 25));

const names = Object.keys(types) as TypeName[];
const files = schemaFiles(
  Object.fromEntries(
    names.map((name): [string, WrittenType] => {
      const { drafts, localized } = types[name];
      return [name, { ...(drafts && { drafts }), ...(localized && { localized }), attributes: attributesOf(name) }];
    }),
  ),
);
const rights = names.flatMap((name) =>
  ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'].map((right) => `api::${name}.${name}.${right}`),
);

describe.each(engines)('%s: the order of relations', (engine) => {
  const project = useProject(engine, { files, locales: locales.map((code) => ({ code, name: code })), public: rights });

  it('is that of the model', { timeout: 600_000 }, async () => {
    let runs = 0;
    const some = fc.uniqueArray(fc.constantFrom(...relations), { minLength: 1, maxLength: 2 });
    const property = fc.asyncProperty(some, fc.array(command, { minLength: 1, maxLength: 20, size: 'max' }), async (among, commands) => {
      runs++;
      const sequence = new Sequence(project.server, runs, among);
      await sequence.begin();
      for (const [index, each] of commands.entries()) {
        await sequence.run(each);
        // A wrong list stays wrong for a while.
        if (index % 3 === 1) await sequence.compare();
      }
      await sequence.compare();
    });
    // The examples alternate between the two sides of a relation: other engines run every second one.
    const own = anyEngine.includes(engine) ? examples : examples.filter((_example, index) => index % 2 === 0);
    // Each engine gets sequences of its own.
    await fc.assert(property, { seed: seed + engines.indexOf(engine), numRuns: numRuns + own.length, examples: own });
  });
});
