/** Reads the options that a soak and a storm share. */
import { parseArgs } from 'node:util';
import { UsageError } from '../options.mjs';
import { engines } from './database.mjs';

const text = { type: 'string' };

/** @param {{seconds: number, workers: number, writes: number}} defaults */
export function readOptions(defaults, more = {}) {
  const { values } = parseArgs({
    options: {
      ...{ help: { type: 'boolean', default: false }, engine: text, seconds: text, connections: text },
      ...{ seed: text, workers: text, writes: text, documents: text, ...more },
    },
  });
  const number = (name, otherwise, least = 1) => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isInteger(value) || value < least)
      throw new UsageError(`--${name} must be a whole number from ${least}, not ${values[name]}`);
    return value;
  };
  const engine = values.engine ?? 'sqlite';
  if (!engines.includes(engine)) throw new UsageError(`--engine must be sqlite, postgres or mariadb, not ${engine}`);
  const workers = number('workers', engine === 'postgres' ? defaults.workers : 1);
  if (engine !== 'postgres' && workers > 1) throw new UsageError('--workers needs --engine postgres');
  return {
    ...values,
    engine,
    workers,
    seconds: number('seconds', defaults.seconds),
    connections: number('connections', 64),
    seed: number('seed', 1),
    writes: number('writes', defaults.writes) / 100,
    documents: number('documents', 300),
  };
}
