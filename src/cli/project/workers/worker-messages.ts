/** What the primary process of several tells a worker. */
export interface StopWorker {
  readonly lectern: 'stop';
  /** Milliseconds for clients to leave by themselves (`App.drain`); 0 when the server stops. */
  readonly drainTime: number;
}

export const isStopWorker = (message: unknown): message is StopWorker =>
  typeof message === 'object' && message !== null && (message as { lectern?: unknown }).lectern === 'stop';

/** Set in the environment of workers that start beside one that has told everything already. */
export const quietStart = 'lecternQuietStart';
