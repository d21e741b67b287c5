/** Every example of the documentation: its blocks run in their order, beside a server that serves the demo's project, and the paths and commands that
 *  its text names are there. CONTRIBUTING.md says how pages mark what cannot run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCommand } from '../support/examples/check-command.ts';
import { checkParameters, checkPath } from '../support/examples/check-path.ts';
import { writeCodeFiles } from '../support/examples/code-files.ts';
import { type Block, examplesOf, reasonsOf, type Span } from '../support/examples/page-examples.ts';
import { PageRun } from '../support/examples/run-page.ts';
import { makeTemplate, makeWorld, type Template, type World } from '../support/examples/world.ts';
import { root } from '../support/packed.ts';

const pages = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'README.md',
  'client/README.md',
].filter((file) => existsSync(join(root, file)));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Pages whose blocks have a test of their own. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'docs/client.md': 'test/docs/client.test.ts',
  'docs/content-types.md': 'src/model/schema-file/content-types-page.test.ts',
  'docs/editing.md': 'test/docs/editing.test.ts',
  'docs/front-ends.md': 'test/docs/front-ends.test.ts',
  'docs/getting-started.md': 'test/docs/getting-started.test.ts',
};

/** Why blocks do not run, and how many; a mark with another reason is refused. */
const reasons: Readonly<Record<string, number>> = {
  'asks on a terminal': 1,
  'a file of TypeScript': 1,
  'has names with a date': 2,
  'has times and ids of its own': 3,
  'is the file of another program': 1,
  'needs Docker': 3,
  'needs Strapi': 15,
  'test/openapi/client.test.ts runs it': 2,
  'test/docs/webhook-receiver.test.ts runs it': 1,
  'test/pages/console/preview.test.ts runs it': 1,
  'needs a MariaDB': 1,
  'needs a PostgreSQL': 7,
  'needs a read replica': 2,
  'needs a receiver': 2,
  'needs a token of a user': 3,
  'needs a database server': 1,
  'needs a full-text index': 2,
  'needs a primary with standbys': 1,
  'needs an outage': 3,
  'needs an OpenTelemetry SDK': 2,
  'needs systemd': 1,
  'needs the npm registry': 1,
  'needs the tables of another schema': 1,
  'needs thousands of rows': 1,
  'takes minutes': 5,
};

let template: Template;
/** For pages whose blocks only read, if there are any: what their texts name changes nothing. */
let unchanged: World;
beforeAll(async () => {
  template = await makeTemplate();
  unchanged = await makeWorld(template, []);
});
afterAll(async () => {
  await unchanged?.end();
  template?.remove();
});

/** The folders that a page's commands name, without those that they create, or that a comment prepares. */
function foldersOf(blocks: readonly Block[]): readonly string[] {
  const named = blocks.flatMap(({ text }) => [...text.matchAll(/--dir ([\w/.-]+)/g)].map(([, name = '']) => name));
  const made = (name: string) => blocks.some(({ text, hidden }) => (hidden && text.includes(name)) || text.includes(`init ${name}`));
  return [...new Set(named)].filter((name) => !made(name));
}

const isBlock = (example: Block | Span): example is Block => example.kind === 'block';

/** Requests that read, what responds to them, and files that a page shows, which are checked in a copy. */
const onlyReads = ({ language, text }: Block) =>
  !['sh', 'bash', 'js', 'mjs', 'ts'].includes(language) && !/^(?:POST|PUT|PATCH|DELETE) /m.test(text);

interface Checked {
  readonly blocks: boolean;
  /** Parameters in the text, `sort=title`: those of other pages may be about content that the demo lacks. */
  readonly parameters: boolean;
}

/** What is wrong with a page, each with its line. */
async function mistakesOf(page: string, checked: Checked): Promise<readonly string[]> {
  const examples = examplesOf(page);
  const blocks = checked.blocks ? examples.filter(isBlock).filter(({ notRun }) => notRun === undefined) : [];
  const wrong: string[] = [];
  const note = (line: number, mistakes: readonly string[]) => wrong.push(...mistakes.map((mistake) => `line ${line}: ${mistake}`));
  const world = blocks.every(onlyReads) ? unchanged : await makeWorld(template, foldersOf(blocks));
  writeCodeFiles(blocks, world.folder);
  const run = new PageRun(world);
  try {
    for (const example of examples) {
      if (example.kind === 'span')
        note(example.line, [
          ...(await checkPath(example.text, world)),
          ...(checked.parameters ? await checkParameters(example, world) : []),
          ...(await checkCommand(example.text)),
        ]);
      else if (blocks.includes(example)) note(example.line, await run.run(example, blocks[blocks.indexOf(example) + 1]));
    }
  } finally {
    await run.end();
    if (world !== unchanged) await world.end();
  }
  return wrong;
}

it.each(pages)('%s', { timeout: 120_000 }, async (file) => {
  expect(await mistakesOf(textOf(file), { blocks: !(file in testedElsewhere), parameters: file === 'docs/query.md' })).toEqual([]);
});

it('finds what is wrong with a page', async () => {
  const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
  const cases = [
    ['<!-- not run: for a reason -->\n`lectern chek`\n\n`lectern chek`', "unknown command 'chek'"],
    [block('', 'GET /api/articles?fields=slug&filters[kind]=recipe\n\n"data": []'), 'data has 1 entries, the page shows 0'],
    [block('', 'GET /api/articles?nope=1\n\n400 ValidationError: Invalid key other'), 'ValidationError: Invalid key nope'],
    [
      block('', 'GET /api/articles?fields=slug&filters[kind]=recipe') + block('', 'HTTP/1.1 200 OK\nContent-Length: 1'),
      'the header Content-Length is ',
    ],
    [block('sh', 'lectern check --nope\ntrue'), 'it ends with 2'],
    [block('sh', 'lectern check') + block('', 'Schema files:  none'), 'this is not in the output'],
    [block('json', '{ "api": { "maxLimits": 5 } }'), 'lectern check ends with 1'],
    [block('js', 'throw new Error("no")'), 'it throws Error: no'],
    ['`GET /api/artcles` `/api/articles`', 'no such route'],
    ['`filters[nope]=1` `filters[kind]=walk`', 'Invalid key nope'],
  ] as const;
  const found = await mistakesOf(cases.map(([text]) => text).join('\n\n'), { blocks: true, parameters: true });
  expect(found).toEqual(cases.map(([, wrong]) => expect.stringContaining(wrong)));
});

describe('what is not run', () => {
  it('has a known reason', () => {
    const found = pages.flatMap((file) => reasonsOf(textOf(file)));
    expect(Object.fromEntries([...new Set(found)].map((reason) => [reason, found.filter((each) => each === reason).length]))).toEqual(
      reasons,
    );
  });

  it.each(Object.entries(testedElsewhere))('%s is read by %s', (file, test) =>
    expect(readFileSync(join(root, test), 'utf8')).toContain(file),
  );
});
