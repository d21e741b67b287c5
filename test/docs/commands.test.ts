/** docs/commands.md lists the commands, each by its whole name. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { lecternCommand } from '../../src/cli/cli.ts';

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');

/** The names of those that have no commands below them. */
const namesOf = (command: Command, name: string): readonly string[] =>
  command.commands.length === 0 ? [name] : command.commands.flatMap((each) => namesOf(each, `${name} ${each.name()}`));

it('docs/commands.md has a row for every command, and for no other', () => {
  const commands = namesOf(
    lecternCommand(() => async () => {}),
    'lectern',
  );
  expect(commands.length).toBeGreaterThan(40);
  const rows = [...page.matchAll(/^\| (`lectern[^|]*) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(rows.sort()).toEqual([...commands].sort());
});
