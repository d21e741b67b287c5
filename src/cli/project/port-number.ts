import { InvalidArgumentError } from 'commander';

/** Reads the value of `--port`. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}
