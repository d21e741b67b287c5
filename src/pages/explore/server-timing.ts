/** Reads the header `Server-Timing` (W3C Server Timing, section 3). */

export interface Timings {
  /** Milliseconds of each stage, in order. */
  readonly stages: readonly { readonly name: string; readonly milliseconds: number }[];
  /** Whether the response came from the cache. */
  readonly isCached: boolean;
  /** The number of statements that were run. */
  readonly statements: number | undefined;
}

/** `identify;dur=0.1, cache;desc=hit` → one stage, cached. */
export function readServerTiming(header: string): Timings {
  const stages: { name: string; milliseconds: number }[] = [];
  let isCached = false;
  let statements: number | undefined;
  for (const entry of header.split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const values = new Map(parameters.map((parameter) => [parameter.split('=')[0], parameter.split('=')[1]?.replaceAll('"', '')]));
    const milliseconds = Number(values.get('dur'));
    if (name === 'cache') isCached = values.get('desc') === 'hit';
    else if (name === 'statements') statements = Number(values.get('desc'));
    else if (name !== '' && Number.isFinite(milliseconds)) stages.push({ name, milliseconds });
  }
  return { stages, isCached, statements };
}
