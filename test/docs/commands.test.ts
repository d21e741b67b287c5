/** docs/commands.md lists the commands, each by its whole name. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { command } from '../support/server.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/commands.md', import.meta.url)), 'utf8');

/** The commands that the help of one lists. A command that takes neither options nor arguments has commands below it. */
async function commandsOf(...names: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...names, '--help']);
  const list = stdout.split('\nCommands:\n')[1] ?? '';
  const listed = [...list.matchAll(/^ {2}([a-z][\w-]*)( [[<])?/gm)].filter(([, name]) => name !== 'help');
  const commands = listed.map(([, name = '', takes]) =>
    takes === undefined ? commandsOf(...names, name) : [['lectern', ...names, name].join(' ')],
  );
  return (await Promise.all(commands)).flat();
}

it('docs/commands.md has a row for every command, and for no other', async () => {
  const commands = await commandsOf();
  expect(commands.length).toBeGreaterThan(40);
  const rows = [...page.matchAll(/^\| (`lectern[^|]*) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(rows.sort()).toEqual(commands.sort());
});
