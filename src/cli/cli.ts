/** The command `lectern`. A command's module is loaded only when it is called, to start faster. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, type Option } from 'commander';
import { describeFailure } from '../errors/describe-failure.ts';
import { packageFile } from '../text/package-file.ts';
import { accessCommands } from './access/access-commands.ts';
import type { CommandAction } from './command-action.ts';
import { compareCommands } from './compare/compare-commands.ts';
import { developCommands } from './develop/develop-commands.ts';
import { eventCommands } from './events/event-commands.ts';
import { exitCodes } from './exit-codes.ts';
import { indexCommands } from './indexes/index-commands.ts';
import { loadCommands } from './load/load-commands.ts';
import { mediaCommands } from './media/media-commands.ts';
import { projectCommands } from './project/project-commands.ts';
import { searchCommands } from './search/search-commands.ts';

export { nameSourcesInStacks } from '../errors/source-positions.ts';

/** Runs one command line and returns one of `exitCodes`. */
export async function runCommand(args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  const action: CommandAction =
    (load) =>
    async (...actionArgs) => {
      try {
        const run = await load();
        exitCode = await run(...(actionArgs as never[]));
      } catch (error) {
        const failure = describeFailure(error);
        process.stderr.write(`${failure.text}\n`);
        exitCode = failure.exitCode;
      }
    };

  const program = lecternCommand(action);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already written its message.
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.excessArguments' && takesFolder(program, args))
      process.stderr.write('The folder of the project is named with --dir: --dir path/to/project\n');
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** The command with all commands below it. */
export function lecternCommand(action: CommandAction): Command {
  const program = new Command('lectern')
    .description('Serves the content types of a project as a REST API.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    // An argument may be a URL with a password.
    .configureOutput({ outputError: (text, write) => write(text.replace(/argument '[\s\S]*:[\s\S]*' is invalid/, 'argument is invalid')) })
    .showSuggestionAfterError();

  developCommands(program, action);
  projectCommands(program, action);
  compareCommands(program, action);
  accessCommands(program, action);
  loadCommands(program, action);
  mediaCommands(program, action);
  eventCommands(program, action);
  indexCommands(program, action);
  searchCommands(program, action);
  return checkingRequiredLast(program);
}

/** Commander checks for required options before unknown ones: for `transfer --too x` it would only
 *  report that `--to` is missing. */
function checkingRequiredLast(program: Command): Command {
  const required = new Set<Option>();
  const relax = (command: Command): void => {
    for (const option of command.options.filter(({ mandatory }) => mandatory)) {
      required.add(option);
      option.mandatory = false;
    }
    command.commands.forEach(relax);
  };
  relax(program);
  return program.hook('preAction', (_, command) => {
    for (const option of command.options)
      if (required.has(option) && command.getOptionValue(option.attributeName()) === undefined)
        command.error(`error: required option '${option.flags}' not specified`, { code: 'commander.missingMandatoryOptionValue' });
  });
}

/** True if the command that these arguments call has the option `--dir`. */
function takesFolder(command: Command, [name, ...rest]: readonly string[]): boolean {
  const called = command.commands.find((each) => each.name() === name);
  return called === undefined ? command.options.some(({ long }) => long === '--dir') : takesFolder(called, rest);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return manifest.version;
}
