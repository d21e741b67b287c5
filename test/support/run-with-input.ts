/** Commands that read their standard input, run inside this process. */
import { Readable } from 'node:stream';
import { type Environment, type Finished, run } from './server.ts';

/** One at a time: the input is that of the whole process. */
export async function runWithInput(input: string, args: readonly string[], env: Environment): Promise<Finished> {
  const usual = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  try {
    return await run(args, env);
  } finally {
    Object.defineProperty(process, 'stdin', usual);
  }
}
