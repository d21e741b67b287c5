import prettyBytes from 'pretty-bytes';
import { estimateBytes } from '../../indexes/index-store.ts';
import type { Proposal } from '../../indexes/proposals.ts';
import { createIndexOnline } from '../../tables/index-statements.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { findProposals } from './find-proposals.ts';
import { type Measured, measureIndexes } from './measure.ts';

interface AdviseOptions extends ProjectOptions {
  readonly json?: boolean;
  /** Undefined: measured where that holds up nobody. */
  readonly measure?: boolean;
}

interface Advice {
  readonly name: string;
  readonly table: string;
  readonly statement: string;
  readonly estimatedBytes: number;
  readonly measured?: Measured;
}

/** `lectern indexes advise`: prints the indexes that `apply` would create. Changes nothing. */
export function advise(options: AdviseOptions): Promise<number> {
  return withProject(options, async (project) => {
    const proposals = await findProposals(project);
    const isMeasured = options.measure ?? !project.database.dialect.tables.rehearsalLocks;
    const measured = isMeasured && proposals.length > 0 ? await measureIndexes(proposals, project) : new Map<string, Measured>();
    const advice = (await adviceOn(proposals, project)).map((each) => ({ ...each, ...withMeasured(measured.get(each.name)) }));
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ indexes: advice }, null, 2)}\n`
        : describe(advice, lecternCommand('indexes apply', options.dir)),
    );
    return advice.length === 0 ? exitCodes.done : exitCodes.changesFound;
  });
}

function adviceOn(proposals: readonly Proposal[], { database, model }: OpenProject): Promise<Advice[]> {
  const tables = new Map(physicalSchema(model).map((table) => [table.name, table]));
  return database.read(async (connection) => {
    const advice: Advice[] = [];
    for (const proposal of proposals) {
      const table = tables.get(proposal.table);
      if (table === undefined) continue;
      advice.push({
        name: proposal.index.name,
        table: table.name,
        statement: createIndexOnline(table, proposal.index, database.dialect),
        estimatedBytes: await estimateBytes(connection, proposal, table),
      });
    }
    return advice;
  });
}

const withMeasured = (measured: Measured | undefined): Pick<Advice, 'measured'> => (measured === undefined ? {} : { measured });

const milliseconds = (time: number): string => `${time < 10 ? time.toFixed(2) : time.toFixed(0)} ms`;

const describeTime = (measured: Measured | undefined): string =>
  measured === undefined ? '' : `; ${milliseconds(measured.before)} without it, ${milliseconds(measured.after)} with it: ${measured.read}`;

function describe(advice: readonly Advice[], command: string): string {
  if (advice.length === 0) return 'The database has every index that Lectern would propose.\n';
  const bytes = advice.reduce((sum, { estimatedBytes }) => sum + estimatedBytes, 0);
  return [
    ...advice.map(
      ({ statement, estimatedBytes, measured }) => `${statement};\n  about ${prettyBytes(estimatedBytes)}${describeTime(measured)}\n`,
    ),
    `${counted(advice.length, 'index', 'indexes')}, about ${prettyBytes(bytes)}. \`${command}\` creates them.\n`,
  ].join('\n');
}
