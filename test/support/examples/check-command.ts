import { CommanderError } from 'commander';
import { lecternCommand } from '../../../src/cli/cli.ts';

const command = /^(?:npx |node bin\/)?lectern(?:\.js)? (.+)$/;
/** Texts name commands without all that they need. */
const incomplete = [
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
];

/** The mistakes in a command line that a text names: the command, or an option, does not exist. */
export async function checkCommand(code: string): Promise<readonly string[]> {
  const [, line] = command.exec(code) ?? [];
  if (line === undefined) return [];
  // `<id or name>` and `…` stand for values, which are no mistakes.
  const words =
    line
      .replaceAll('<url>', 'postgres://host/name')
      .replaceAll(/<[^>]*>/g, 'x')
      .replaceAll('--rename …', '--rename old=new')
      .replaceAll('…', '')
      .match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const args = words.map((word) => word.replaceAll(/^['"]|['"]$/g, ''));
  const messages: string[] = [];
  const program = lecternCommand(() => async () => {});
  const silent = { writeOut: () => {}, writeErr: (text: string) => messages.push(text) };
  const quieten = (each: typeof program) => {
    each.configureOutput(silent);
    for (const inner of each.commands) quieten(inner);
  };
  quieten(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!incomplete.includes(error.code)) return [`${code}: ${messages.join('')}`];
  }
  return [];
}
