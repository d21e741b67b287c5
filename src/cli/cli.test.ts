import { afterEach, describe, expect, it, vi } from 'vitest';
import { run } from './cli.ts';

/** What a command line prints, and its exit code. */
async function output(args: readonly string[]) {
  const texts: string[] = [];
  const keep = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  const exitCode = await run(args);
  return { exitCode, text: texts.join('') };
}
afterEach(() => vi.restoreAllMocks());

const cases = [
  { args: ['--help'], exitCode: 0, says: 'start [options]' },
  { args: ['--version'], exitCode: 0, says: '0.' },
  { args: [], exitCode: 2, says: 'Usage: lectern' },
  { args: ['strat'], exitCode: 2, says: 'Did you mean start?' },
  { args: ['start', '--prot', '1'], exitCode: 2, says: 'Did you mean --port?' },
  { args: ['start', '--port', '70000'], exitCode: 2, says: 'A port is a whole number from 0 to 65535.' },
  { args: ['start', 'here'], exitCode: 2, says: 'too many arguments' },
  { args: ['transfer'], exitCode: 2, says: "required option '--to <url>'" },
  { args: ['start', '--dir', '/nowhere/at/all'], exitCode: 1, says: 'There is no folder /nowhere/at/all' },
  { args: ['check', '--dir', '/nowhere/at/all'], exitCode: 1, says: 'Lectern cannot go on: There is no folder /nowhere/at/all' },
];

describe('lectern', () => {
  it.each(cases)('$args', async ({ args, exitCode, says }) => {
    const printed = await output(args);
    expect(printed.text).toContain(says);
    expect(printed.exitCode).toBe(exitCode);
  });
});
