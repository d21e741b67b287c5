/** The command line of `lectern compare`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandAction, projectCommand } from '../command-action.ts';

export function compareCommands(program: Command, action: CommandAction): void {
  projectCommand(
    program,
    'compare',
    'send the same requests to Lectern and to another server, such as Strapi, and print what differs; exit code 1 when anything does',
  )
    .requiredOption('--with <url>', 'the other server: http://127.0.0.1:1337', serverUrl)
    .option('--url <url>', 'a running Lectern; without it, the project is served by this command, on a free port', serverUrl)
    .addOption(new Option('--urls <file>', 'a URL in each line; - is standard input').conflicts(['log', 'generate']))
    .addOption(
      new Option('--log <file>', 'an access log (common, combined, JSON, of Strapi or Lectern); - is standard input').conflicts('generate'),
    )
    .option(
      '--generate <number>',
      'this many reads, generated from the content types; 200 if neither a list nor a log is given',
      integer(1, 100_000),
    )
    .addOption(
      new Option(
        '--writes <file>',
        'requests that write, as JSON lines with method, path, body and headers; - is standard input; needs --url and --both-are-copies',
      ).conflicts(['urls', 'log', 'generate', 'sample', 'seed', 'concurrency']),
    )
    .option('--both-are-copies', 'confirm that both servers use copies of one database, which --writes changes')
    .option(
      '--sample <number>',
      'at most this many different requests, chosen from the whole list or log (default: 5000)',
      integer(1, 100_000),
    )
    .option('--seed <number>', 'a different number chooses and generates different requests', integer(0, 2 ** 31), 1)
    .option('--rate <number>', 'requests a second to each server', integer(1, 10_000), 20)
    .option('--concurrency <number>', 'requests at a time', integer(1, 32), 2)
    .option('--timeout <seconds>', 'time for a response', integer(1, 600), 30)
    .addOption(
      new Option(
        '--token <token>',
        'API token or JSON Web Token for both servers; LECTERN_COMPARE_TOKEN in the environment does the same',
      ).conflicts('tokenFile'),
    )
    .option('--token-file <file>', 'the same, read from a file')
    .option('--json', 'print it as JSON')
    .action(action(async () => (await import('./compare-command.ts')).compare));
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) throw new InvalidArgumentError(`A whole number from ${min} to ${max} is expected.`);
    return number;
  };
}

function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('A URL such as http://127.0.0.1:1337 is expected.');
  // Also because the URL is printed.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('The URL of a server is expected, without user, query and fragment.');
  return url;
}
