/** `lectern load`: creates and updates documents from lines of JSON, with hooks, events, history and
 *  the checks of the API. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ArchiveRefused } from '../../archives/archive-parts.ts';
import { textLines } from '../../archives/read-lines.ts';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import { codeOf } from '../../errors/system-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { lookupAttributes } from '../../model/lookup-attributes.ts';
import { openDocuments } from '../../open-documents.ts';
import type { CodeLog } from '../../own-code/own-code.ts';
import { orMeant } from '../../text/nearest.ts';
import { printable } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { withProject } from '../project/open-project.ts';
import { type StopSignal, stopSignal } from '../stop-signal.ts';
import { loadGroup } from './load-group.ts';
import { type LoadedType, lineGroups } from './load-lines.ts';
import { LoadReport } from './load-report.ts';

export interface LoadOptions extends ProjectOptions {
  readonly type: string;
  readonly upsertBy: string;
  /** Where the lines that fail are written. */
  readonly errors?: string;
  readonly dryRun?: boolean;
  /** Whether the first line that fails ends the command. */
  readonly stop?: boolean;
}

/** Lines of one transaction: as many as make its commit cheap, and memory stays small. */
const together = 100;

export async function load(source: string, options: LoadOptions): Promise<number> {
  const signal = stopSignal();
  return withProject(
    options,
    async (project) => {
      const loaded = loadedType(options, project.model);
      const input = await openInput(source);
      const errors = options.errors === undefined ? undefined : await openErrors(options.errors);
      const report = new LoadReport(options.dryRun === true, errors);
      const config = unhurried(project.config);
      const documents = await openDocuments({ ...project, config, log: codeLog });
      try {
        return await loadAll(
          { texts: textLines(input, source === '-' ? 'standard input' : source), loaded, report },
          documents,
          options,
          signal,
        );
      } catch (error) {
        throw error instanceof ArchiveRefused ? new StartError(error.problems.map(printable)) : error;
      } finally {
        await documents.close();
        await errors?.close();
      }
    },
    { statementTime: 0 },
  );
}

interface Loading {
  readonly texts: AsyncIterable<string>;
  readonly loaded: LoadedType;
  readonly report: LoadReport;
}

async function loadAll(
  { texts, loaded, report }: Loading,
  documents: Awaited<ReturnType<typeof openDocuments>>,
  { dryRun = false, stop = false }: LoadOptions,
  signal: StopSignal,
): Promise<number> {
  let written = 0;
  for await (const { lines, failures, last } of lineGroups(texts, loaded, together, bodyDepth)) {
    const isRefused = stop && failures.length > 0;
    const done = isRefused
      ? { created: 0, updated: 0, unchanged: 0, failures: [] }
      : await loadGroup(lines, loaded, documents, { dryRun, allOrNone: stop });
    await report.add({ ...done, failures: [...failures, ...done.failures] }, last);
    if (stop && report.failed > 0) {
      report.end();
      process.stderr.write(`Stopped: the lines after line ${written} are not written.\n`);
      return exitCodes.failed;
    }
    written = last;
    if (!signal.received()) continue;
    report.end();
    process.stderr.write(`Interrupted after line ${written}. The same command again goes on: lines that are written stay unchanged.\n`);
    return exitCodes.interrupted;
  }
  report.end();
  return report.failed > 0 ? exitCodes.failed : exitCodes.done;
}

/** Levels of nested objects and lists of a line. */
const bodyDepth = 100;

/** Limits are meant for requests of others; a group has the look-ups and the passwords of all its
 *  lines. */
const unhurried = (config: Config): Config => ({
  ...config,
  limits: {
    ...config.limits,
    ...{ queryBytes: 16_000_000, parameters: 1_000_000, listValues: together, conditions: 10_000, statementTime: 3_600_000 },
    ...{ passwords: together * 5, rows: 1_000_000, patternBytes: 16_000, searchBytes: 1_000_000 },
  },
});

function loadedType({ type: uid, upsertBy }: LoadOptions, { contentTypes }: ContentModel): LoadedType {
  const type = contentTypes.get(uid);
  const routed = [...contentTypes.values()].filter((each) => each.routed && each.kind === 'collectionType');
  if (type === undefined || !routed.includes(type)) {
    const known = routed.map((each) => each.uid);
    throw new StartError([`--type: there is no collection type ${uid}${orMeant(uid, known)}. Types: ${known.join(', ')}`], exitCodes.usage);
  }
  const usable = lookupAttributes(type).filter((attribute) => keyTypes.has(attribute.type));
  const by = usable.find(({ name }) => name === upsertBy);
  if (by !== undefined) return { type, by };
  const names = usable.map(({ name }) => name).join(', ') || 'none';
  throw new StartError(
    [`--upsert-by: ${upsertBy} is no uid and no unique text or whole number of ${uid}; these are: ${names}`],
    exitCodes.usage,
  );
}

/** Values that are read and stored as the same text. */
const keyTypes: ReadonlySet<string> = new Set(['uid', 'string', 'text', 'email', 'enumeration', 'integer', 'biginteger']);

async function openInput(source: string): Promise<AsyncIterable<Buffer>> {
  if (source === '-') return process.stdin;
  const path = resolve(source);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory())
    throw new StartError([`There is no file ${path}. Archives are read by \`lectern import\`, and - is standard input.`]);
  return createReadStream(path);
}

/** A new file: one that is there may be the lines themselves. */
async function openErrors(path: string): Promise<FileHandle> {
  try {
    return await open(resolve(path), 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new StartError([`--errors: ${path} already exists and is not overwritten.`]);
    throw error;
  }
}

const say = (details: object, message: string) =>
  void process.stderr.write(`${printable(message)} ${printable(JSON.stringify(details))}\n`);
const codeLog: CodeLog = { debug: () => undefined, info: say, warn: say, error: say };
