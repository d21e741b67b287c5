/** Runs the stages `execute` and `render` on one connection, in the thread that has it. */
import { performance } from 'node:perf_hooks';
import { digestInPieces } from '../../../text/digest.ts';
import { rowVersion } from '../../../text/row-version.ts';
import { nextTurn } from '../../../turns.ts';
import type { Bindings, CompiledRead } from '../../compile/types.ts';
import { executeRead } from '../../execute/execute-read.ts';
import { shownKeys } from '../../execute/shown-keys.ts';
import type { Execution, FoundRow } from '../../execute/types.ts';
import { makeRenderer, type Rendering, type RenderRead } from '../../render/render-read.ts';
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
  /** The total of a list. */
  readonly total: number | undefined;
  /** The keys of the rows that the body shows (`data-keys.ts`). */
  readonly shown: Uint32Array<ArrayBuffer>;
  /** Components that were left out: the plan has no branch for them, because it is older than they
   *  are or because the model lacks their type. */
  readonly unlisted: readonly Unlisted[] | undefined;
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
  const { rows, statements, unlisted } = await executeRead(prepared.compiled, bindings, execution);
  const executed = performance.now();
  const body = await prepared.render(rows, bindings.pagination);
  const version = body === undefined ? undefined : versionOf(prepared.compiled, rows.rows[0]);
  const digest = body === undefined || prepared.compiled.envelope === 'bare' ? undefined : await digestInPieces(body, nextTurn);
  return {
    body,
    version,
    digest,
    statements,
    total: rows.total,
    shown: prepared.compiled.groups === undefined ? shownKeys(rows, prepared.compiled.shape) : new Uint32Array(),
    unlisted,
    execute: executed - start,
    render: performance.now() - executed,
  };
}

function versionOf({ updatedAt }: CompiledRead, row: FoundRow | undefined): string | undefined {
  return updatedAt === undefined || row === undefined ? undefined : rowVersion(row.id, row.values[updatedAt]);
}

/** The number of prepared plans that are cached beside each connection, and
 *  the sum of their characters. */
export const maxCachedPlans = 1000;
export const maxCachedCharacters = 8_000_000;

/** Runs compiled reads, each in one snapshot of the data. */
export interface Reader {
  read(plan: CachedPlan, bindings: Bindings, caller: Caller): Promise<ReadResult>;
  close(): Promise<void>;
}

/** A compiled read, with the number that stands for it in messages to threads. */
export interface CachedPlan {
  readonly id: number;
  readonly compiled: CompiledRead;
  /** The number of characters of its statements and values, for the bounds of caches. */
  readonly size: number;
}
