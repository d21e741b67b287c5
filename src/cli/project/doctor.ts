import { resolve } from 'node:path';
import { examineProject } from '../../doctor/examine-project.ts';
import { groups, proposalOf } from '../../doctor/findings.ts';
import { printFindings, printSketches } from '../../doctor/print-findings.ts';
import { describeFailure } from '../../errors/describe-failure.ts';
import { StartError } from '../../errors/start-error.ts';
import { counted } from '../../text/counted.ts';
import { printableJson } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from './load-project.ts';
import { projectFolderProblem } from './project-folder.ts';

/** Increases when a key of the printed JSON changes its meaning or is removed. */
const jsonVersion = 1;
/** The width of lines where there is no terminal, and the widest that reads well. */
const usualColumns = 100;
const minColumns = 40;

interface DoctorOptions extends ProjectOptions {
  readonly json?: boolean;
  /** Prints the beginnings of the files that replace code as well. */
  readonly sketches?: boolean;
}

/** `lectern doctor`: prints what is served as in Strapi, what is not, and what to decide. */
export async function doctor({ dir, json, sketches: isSketching = false }: DoctorOptions): Promise<number> {
  const problem = projectFolderProblem(dir);
  if (problem !== undefined) throw new StartError([problem]);
  const { findings, profile, sketches } = await examineProject(
    resolve(dir),
    process.env,
    (error) => describeFailure(error, 'The database cannot be examined').text,
  );
  const exitCode = findings.some(({ isOpen }) => isOpen) ? exitCodes.failed : exitCodes.done;
  if (json === true) {
    const counts = Object.fromEntries(groups.map((group) => [group, findings.filter((each) => each.group === group).length]));
    process.stdout.write(
      `${printableJson({ version: jsonVersion, profile: profile ?? null, exitCode, counts, write: proposalOf(findings), findings, sketches }, 2)}\n`,
    );
    return exitCode;
  }
  const { stdout } = process;
  const columns = stdout.isTTY ? Math.max(minColumns, Math.min(stdout.columns ?? usualColumns, usualColumns)) : usualColumns;
  const isColoured = stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
  const hint =
    sketches.length === 0 || isSketching
      ? ''
      : ` \`--sketches\` prints the beginnings of ${counted(sketches.length, 'file')} that replace code.`;
  stdout.write(printFindings(findings, { columns, isColoured }, hint));
  if (isSketching) stdout.write(printSketches(sketches));
  return exitCode;
}
