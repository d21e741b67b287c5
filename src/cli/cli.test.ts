import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCommand } from './cli.ts';
import { exitCodes } from './exit-codes.ts';

/** The output of a command line, and its exit code. */
async function output(args: readonly string[]) {
  const texts: string[] = [];
  const capture = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(capture);
  vi.spyOn(process.stderr, 'write').mockImplementation(capture);
  const exitCode = await runCommand(args);
  return { exitCode, text: texts.join('') };
}
afterEach(() => vi.restoreAllMocks());

const cases = [
  { args: ['--help'], exitCode: 0, says: 'start [options]' },
  { args: ['--version'], exitCode: 0, says: '0.' },
  { args: [], exitCode: 2, says: 'Usage: lectern' },
  { args: ['strat'], exitCode: 2, says: 'Did you mean start?' },
  { args: ['start', '--prot', '1'], exitCode: 2, says: 'Did you mean --port?' },
  { args: ['start', '--port', '70000'], exitCode: 2, says: 'A port is a whole number from 0 to 65535.' },
  { args: ['start', 'here'], exitCode: 2, says: 'too many arguments' },
  { args: ['check', 'here'], exitCode: 2, says: 'The folder of the project is named with --dir' },
  { args: ['token', 'list', 'here'], exitCode: 2, says: 'The folder of the project is named with --dir' },
  { args: ['schema', 'content-type'], exitCode: 0, says: '"$schema": "http://json-schema.org/draft-07/schema#"' },
  { args: ['schema', 'component'], exitCode: 0, says: '"title": "A component"' },
  { args: ['transfer'], exitCode: 2, says: "required option '--to <url>'" },
  { args: ['transfer', '--too', 'x'], exitCode: 2, says: "unknown option '--too'\n(Did you mean --to?)" },
  { args: ['transfer', 'postgres://127.0.0.1/x'], exitCode: 2, says: 'too many arguments' },
  { args: ['token', 'create', 'op', '--type', 'read-only'], exitCode: 2, says: 'too many arguments' },
  { args: ['start', '--dir', '/nowhere/at/all'], exitCode: 1, says: 'There is no folder /nowhere/at/all' },
  { args: ['check', '--dir', '/nowhere/at/all'], exitCode: 1, says: 'Lectern cannot go on: There is no folder /nowhere/at/all' },
];

describe('lectern', () => {
  it.each(cases)('$args', async ({ args, exitCode, says }) => {
    const printed = await output(args);
    expect(printed.text).toContain(says);
    expect(printed.exitCode).toBe(exitCode);
  });
});

/** Each command with arguments that are wrong for any project. */
const webhook = ['--url', 'https://example.org', '--events', 'publish'];
const misused: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [['a', 'b'], ['--template', 'blg'], ['--profile', 'wordpress'], ['--yes']],
  'make type': [[], ['Article'], ['article', 'title'], ['article', 'title!:string'], ['article', '--plural', 'Articles']],
  'make component': [[], ['seo'], ['a.b.c'], ['Shared.seo'], ['shared.seo', 'title']],
  'make hook': [[], ['article', 'page']],
  'make endpoint': [[], ['GET'], ['LIST', '/a'], ['GET', 'a'], ['GET', '/a/:'], ['GET', '/a', '/b']],
  'make webhook': [[], ['site'], ['1', 'https://example.org'], ['site', 'ftp://x'], ['site', 'https://example.org', '--events', 'saved']],
  dev: [['--port', 'x'], ['here']],
  start: [['--port', 'x'], ['here']],
  demo: [['--port', '-1'], ['here']],
  check: [['here']],
  doctor: [['here']],
  compare: [
    [],
    ['--with', 'ftp://x'],
    ['--with', 'http://127.0.0.1:9', '--rate', '0'],
    ['--with', 'http://127.0.0.1:9', '--url', 'http://127.0.0.1:8', '--writes', 'a', '--both-are-copies', '--log', 'b'],
    ['--with', 'http://127.0.0.1:9', '--url', 'http://127.0.0.1:8', '--writes', 'a'],
    ['--with', 'http://127.0.0.1:9', '--writes', 'a', '--both-are-copies'],
  ],
  explain: [[], ['/api/a', '/api/b']],
  mcp: [['here'], ['--token', 'x'], ['--url', 'nowhere']],
  routes: [['here']],
  schema: [[], ['table']],
  openapi: [['here'], ['--as']],
  types: [['here'], ['--out']],
  'migrate plan': [['--rename', 'title'], ['--rename']],
  'migrate apply': [['--rename', 'a=b=c'], ['--dir']],
  backup: [[], ['a.tar.gz', 'b.tar.gz']],
  restore: [[], ['a.tar.gz', 'b.tar.gz']],
  seed: [[], ['a', 'b']],
  export: [[], ['a', 'b']],
  import: [[], ['a', 'b']],
  load: [[], ['a'], ['a', '--type', 'api::tag.tag'], ['a', 'b', '--type', 'api::tag.tag', '--upsert-by', 'slug']],
  transfer: [[], ['--to', 'sqlite://x'], ['--to', 'mongodb://x'], ['--to', 'postgres://127.0.0.1:9/'], ['--to', 'mysql://127.0.0.1:9']],
  'token create': [
    [],
    ['--name', 'x'],
    ['--name', 'x', '--type', 'admin'],
    ['--name', 'x', '--type', 'custom'],
    ['--name', 'x', '--type', 'read-only', '--expires', 'soon'],
    ['--name', 'x', '--type', 'full-access', '--mcp', 'read'],
    ['--name', 'x', '--type', 'read-only', '--mcp', 'write'],
  ],
  'token list': [['all']],
  'token revoke': [[], ['1', '2']],
  'token rotate': [[], ['1', '2']],
  'permissions plan': [['here']],
  'permissions apply': [['here']],
  'permissions show': [['public', 'authenticated']],
  'permissions export': [['--json']],
  'role list': [['all']],
  'role allow': [[], ['public'], ['public', 'article']],
  'role deny': [[], ['public'], ['public', 'article']],
  'user create': [
    [],
    ['--username', 'x'],
    ['--email', 'x@example.org'],
    ['--username', 'x', '--email', 'x@example.org', '--link', '--password-stdin'],
  ],
  'user list': [['all']],
  'user block': [[], ['a', 'b']],
  'user unblock': [[], ['a', 'b']],
  'user set-role': [[], ['ada'], ['a', 'b', 'c']],
  'user set-password': [[], ['a', 'b'], ['a', '--password', 'secret']],
  'user link': [[], ['a', 'b']],
  'user delete': [[], ['a', 'b'], ['ada']],
  'locale list': [['all']],
  'locale add': [[], ['pt_br'], ['German'], ['de', '--name', ''], ['de', 'fr']],
  'locale remove': [[], ['de', 'fr'], ['de', '--delete']],
  'locale default': [[], ['de', 'fr']],
  events: [['all'], ['--limit', '0'], ['--limit', 'ten']],
  'history prune': [['all']],
  'history forget': [[], ['article'], ['article', 'a', 'b']],
  'webhook add': [
    [],
    ['site'],
    ['site', '--url', 'https://example.org'],
    ['site', '--events', 'publish'],
    ['site', ...webhook, '--header', 'Foo'],
    ['site', ...webhook, '--header', ': x'],
  ],
  'webhook list': [['all']],
  'webhook remove': [[], ['a', 'b']],
  'webhook test': [[], ['a', 'b']],
  'webhook deliveries': [['all'], ['--state', 'lost'], ['--limit', '0']],
  'webhook retry': [[], ['1', '2']],
  'indexes advise': [['here'], ['--measure', 'all']],
  'indexes apply': [['articles_slug'], ['lectern_tags_order', 'tags_order']],
  'indexes drop': [['articles_slug'], ['lectern_tags_order', 'tags_order']],
  'search build': [],
  'search drop': [],
  'search status': [['here']],
  'media check': [['here']],
  'media import': [[], ['a', 'b']],
  'media sign': [
    [],
    ['/elsewhere/a.png'],
    ['/uploads/a.png?width=abc'],
    ['/uploads/a.png?widht=1'],
    ['/uploads/a.png', '--expires', 'soon'],
  ],
};

describe('a wrong command line ends with exit code 2', () => {
  it('in the tests below for every command that the help lists', async () => {
    expect((await commandsBelow([])).sort()).toEqual(Object.keys(misused).sort());
  });

  const lines = Object.entries(misused).flatMap(([command, wrong]) =>
    [['--nope'], ...wrong].map((args) => [...command.split(' '), ...args]),
  );
  it.each(lines.map((line) => [line.join(' '), line] as const))('%s', async (_, line) => {
    const printed = await output(line);
    expect(printed.exitCode).toBe(exitCodes.usage);
    expect(printed.text).not.toBe('');
  });

  it.each(['migrate', 'token', 'permissions', 'role', 'user', 'locale', 'media', 'make'])('%s without a subcommand', async (group) => {
    expect(await output([group])).toMatchObject({ exitCode: exitCodes.usage, text: expect.stringContaining('Usage: lectern') });
  });
});

/** The commands without subcommands, as the help lists them: `start`, `migrate plan`. */
async function commandsBelow(group: readonly string[]): Promise<string[]> {
  const { text } = await output([...group, '--help']);
  const names = [...(text.split('Commands:\n')[1] ?? '').matchAll(/^ {2}([\w-]+)/gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  );
  if (names.length === 0) return [group.join(' ')];
  const below: string[] = [];
  for (const name of names) below.push(...(await commandsBelow([...group, name])));
  return below;
}

it('docs/configuration.md lists all exit codes', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| Exit code |'));
  const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(exitCodes));
});
