/** `lectern check --database`: tries on a database what Lectern needs of it. */
import type { DatabaseConfig } from '../../config/config.ts';
import { missingFile } from '../../dialects/embedded-file.ts';
import { type Finding, isUsable, type ProbeReport } from '../../dialects/probe/need.ts';
import { probeDatabase } from '../../dialects/probe/probe-database.ts';
import { problemsOf } from '../../errors/describe-failure.ts';
import { ofUrl } from '../../errors/of-url.ts';
import { StartError } from '../../errors/start-error.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import { untilStopped } from '../stop-signal.ts';

/** Prints what works, what falls back and what is missing. `isNamed`: the command line names the
 *  database; otherwise it is that of a project. */
export function checkServer(database: DatabaseConfig, isNamed: boolean): Promise<number> {
  return untilStopped('what was created for the trials is removed', async (signal) => {
    const missing = missingFile(database);
    if (missing !== undefined)
      throw new StartError([`There is no file ${missing}. Only an existing SQLite file can be tried; the start of a project creates it.`]);
    const report = await probeDatabase(database, signal).catch((error: unknown) => {
      const problems = isNamed ? problemsOf(error) : undefined;
      throw problems === undefined ? error : new StartError(problems.map((problem) => `--database: ${ofUrl(problem)}`));
    });
    process.stdout.write(`${describe(report).map(printable).join('\n')}\n`);
    return isUsable(report) ? exitCodes.done : exitCodes.failed;
  });
}

const width = 'falls back'.length + 2;
/** Names that a line shows; the others are in docs/scaling.md. */
const shownNames = 3;

function describe(report: ProbeReport): string[] {
  const { engine, findings, notes } = report;
  return [`Database:      ${engine}`, ...notes.map((note) => `Note:          ${note}`), ...findings.map(lineOf), verdict(report)];
}

function lineOf({ state, usedFor, what, reason, consequence }: Finding): string {
  const names = what.split(', ');
  const shown = [...names.slice(0, shownNames), ...(names.length > shownNames ? ['…'] : [])].join(', ');
  const detail = reason === undefined ? '' : `: ${reason}. ${sentence(consequence)}`;
  return `  ${state.padEnd(width)}${usedFor} (${shown})${detail}`;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function verdict({ findings }: ProbeReport): string {
  const having = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  const [missing, less] = [having('missing'), having('falls back')];
  if (missing > 0) return `Lectern cannot be used with this database: ${counted(missing, 'thing is', 'things are')} missing.`;
  return `Lectern can be used with this database${less === 0 ? '' : `; ${counted(less, 'thing falls', 'things fall')} back`}.`;
}
