/** Runs the stages `execute` and `render` on one connection, in the process or thread that has the connection. */
import { performance } from 'node:perf_hooks';
import { digestOf } from '../../../text/digest.ts';
import type { Bindings, CompiledRead } from '../../compile/types.ts';
import { executeRead } from '../../execute/execute-read.ts';
import type { FoundRow } from '../../execute/found-row.ts';
import type { Execution, FoundInMemory } from '../../execute/types.ts';
import { makeRenderer, type Rendering, type RenderRead } from '../../render/render-read.ts';
import { rowVersion } from '../../row-version.ts';
import type { Unlisted } from '../../unlisted-components.ts';
import type { Caller } from '../queue/caller.ts';

export interface PreparedRead {
  readonly compiled: CompiledRead;
  readonly render: RenderRead;
}

export interface ReadResult {
  /** Undefined if one document was requested and does not exist. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** The version of the row, for the entity tag; only for one document with an envelope. */
  readonly version: string | undefined;
  /** The digest of the body, for the entity tag; only with an envelope. */
  readonly digest: string | undefined;
  readonly statements: number;
  /** Milliseconds that the list took without the cache, if its total or its ids came from there; otherwise 0. */
  readonly saved: number;
  /** The list was remembered for `listVersion`. The result is wrong if the tables of the list had another version when they were read. */
  readonly isListAssumed: boolean;
  /** Set if the list was found among values that are held in memory. `saved` is what the database takes to search it. */
  readonly held: FoundInMemory | undefined;
  /** Components that were left out: the plan has no branch for them, because it is older than they are or because the model lacks their type. */
  readonly unlisted: readonly Unlisted[] | undefined;
  /** The version of the data that the rows were read from (`WholeReads.version`), if the engine tells it. */
  readonly dataVersion: string | undefined;
  /** Milliseconds. */
  readonly execute: number;
  readonly render: number;
}

export const prepareRead = (compiled: CompiledRead, rendering: Rendering): PreparedRead => ({
  compiled,
  render: makeRenderer(compiled, rendering),
});

export async function runRead(prepared: PreparedRead, bindings: Bindings, execution: Execution): Promise<ReadResult> {
  const start = performance.now();
  const { rows, statements, saved, isListAssumed, held, unlisted, dataVersion } = await executeRead(prepared.compiled, bindings, execution);
  const executed = performance.now();
  const body = prepared.render(rows, bindings.pagination);
  const version = body === undefined ? undefined : versionOf(prepared.compiled, rows.rows[0]);
  // The digest is computed here, in the reading process if there is one, so that hashing a long response delays no other request.
  const digest = body === undefined || prepared.compiled.envelope === 'bare' ? undefined : digestOf(body);
  return {
    body,
    version,
    digest,
    statements,
    saved,
    isListAssumed,
    held,
    unlisted,
    dataVersion,
    execute: executed - start,
    render: performance.now() - executed,
  };
}

function versionOf({ updatedAt }: CompiledRead, row: FoundRow | undefined): string | undefined {
  return updatedAt === undefined || row === undefined ? undefined : rowVersion(row.id, row.values[updatedAt]);
}

/** The number of prepared plans that are cached beside each connection, and the sum of their characters. */
export const maxCachedPlans = 1000;
export const maxCachedCharacters = 8_000_000;

/** A result whose body may lie in memory that is shared with other results. */
export type FoundRead = Omit<ReadResult, 'body'> & { readonly body: Uint8Array | undefined };

/** Runs compiled reads, each in one snapshot of the data. */
export interface Reader {
  /** `listVersion`: the version of the tables that decide which rows a list has, when the request arrived. `snapshot`: that of everything
   *  (`DataVersion.snapshot`). */
  read(plan: CachedPlan, bindings: Bindings, caller: Caller, listVersion: string | undefined, snapshot?: string): Promise<FoundRead>;
  close(): Promise<void>;
}

/** A compiled read with a number that stands for it between processes. */
export interface CachedPlan {
  readonly id: number;
  readonly compiled: CompiledRead;
  /** The number of characters of its statements and values, for the bounds of caches. */
  readonly size: number;
}
