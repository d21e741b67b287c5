/** Figures that modules of the server can report at any time. Reading them costs nothing until
 *  somebody asks: each part counts in plain numbers, and names a function that returns them. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number | undefined;
  /** Undefined where nobody counts them. */
  readonly bytes: number | undefined;
}

/** Several caches as one. */
export const sumOfCaches = (caches: readonly CacheFigures[]): CacheFigures => ({
  hits: sum(caches.map(({ hits }) => hits)),
  misses: sum(caches.map(({ misses }) => misses)),
  entries: sum(caches.map(({ entries = 0 }) => entries)),
  bytes: sum(caches.map(({ bytes = 0 }) => bytes)),
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

export interface QueueFigures {
  readonly waiting: number;
  readonly running: number;
}

export interface PoolFigures {
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** A read replica of the database. */
export interface ReplicaFigures {
  /** From 1, in the order of the configuration. */
  readonly number: number;
  /** Milliseconds: the replica has every commit that is older. Undefined if the lag is unknown. */
  readonly lag: number | undefined;
  /** Why it is not used; undefined if it is. */
  readonly problem: string | undefined;
  /** Reads that it has served. */
  readonly reads: number;
  /** Reads that failed on it and were repeated on the primary. */
  readonly failures: number;
}

/** Messages to the receiver of a webhook. */
export interface WebhookFigures {
  delivered: number;
  /** Attempts that are retried. */
  retried: number;
  /** Messages that are attempted no longer. */
  failed: number;
}

/** The name of a cache, and what is in it. */
export type CacheName = 'responses' | 'plans' | 'write plans' | 'rights';
export type QueueName = 'database' | 'writes' | 'images';

export class Figures {
  readonly caches = new Map<CacheName, () => CacheFigures>();
  readonly queues = new Map<QueueName, () => QueueFigures>();
  /** Files that were stored, and their bytes. */
  readonly uploads = { files: 0, bytes: 0 };
  /** By the name of the webhook. */
  readonly webhooks = new Map<string, WebhookFigures>();
  /** Undefined for a database without a pool. */
  pool: () => PoolFigures | undefined = () => undefined;
  lostConnections: () => number = () => 0;
  replicas: () => readonly ReplicaFigures[] = () => [];
}

/** The look-ups of a cache. */
export class Lookups {
  hits = 0;
  misses = 0;

  note(isHit: boolean): void {
    if (isHit) this.hits++;
    else this.misses++;
  }
}

/** The processes that encode images. */
const children = new Set<ChildProcess>();

export function noteChild(child: ChildProcess): void {
  children.add(child);
  const ended = () => children.delete(child);
  child.once('exit', ended);
  child.once('error', ended);
}

export const childCount = (): number => children.size;

/** Resident memory of the children that the system reports. */
export const childBytes = (): number => sum([...children].map(({ pid }) => (pid === undefined ? 0 : residentBytes(pid))));

/** Linux reports the memory of other processes in a file. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
