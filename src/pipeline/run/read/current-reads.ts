/** Reads with what readers remember of lists. A reader sees only that something has changed, so it is told the version of the list's tables: what it
 *  remembers for that version is right if they are still the same after the read. */
import type { AskVersion, DataVersion } from '../../../dialects/dialect.ts';
import type { Bindings, CompiledRead } from '../../compile/types.ts';
import type { Caller } from '../queue/caller.ts';
import type { CachedPlan, FoundRead, Reader } from './run-read.ts';

interface CurrentRead {
  readonly caller: Caller;
  /** The version of the data when the request arrived. */
  readonly version: DataVersion | undefined;
}

/** Returns a function that reads, and reads again without the assumption if a commit may have made it wrong. */
export function currentReads(reader: Reader, askVersion: AskVersion) {
  return async (plan: CachedPlan, bindings: Bindings, { caller, version }: CurrentRead): Promise<FoundRead> => {
    const tables = listTables(plan.compiled);
    const listVersion = tables === undefined ? undefined : version?.of(tables);
    const result = await reader.read(plan, bindings, caller, listVersion, version?.snapshot);
    if (tables === undefined || !result.isListAssumed) return result;
    const now = await askVersion();
    return now?.of(tables) === listVersion ? result : reader.read(plan, bindings, caller, undefined);
  };
}

/** Returns the tables that decide which rows a list has; undefined if no reader remembers them. */
const listTables = ({ statements }: CompiledRead): readonly string[] | undefined =>
  statements.kind === 'separate' ? statements.list?.ids.tables : statements.pageTables;
