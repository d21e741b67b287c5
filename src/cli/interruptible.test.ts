import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Interruption, interruptible } from './interruptible.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
const before = new Map(signals.map((name) => [name, process.listeners(name)]));

describe('work that a signal ends', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    for (const name of signals)
      for (const listener of process.listeners(name)) if (!before.get(name)?.includes(listener)) process.removeListener(name, listener);
  });

  async function interrupted(work: (interruption: Interruption) => Promise<number>, outcome: () => string | undefined) {
    const stderr: unknown[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(text) > 0);
    const exitCode = await interruptible(work, outcome);
    return { exitCode, stderr: stderr.join('') };
  }
  const untilStopped = async ({ pass }: Interruption): Promise<number> => {
    process.emit('SIGINT');
    for (;;) await pass();
  };

  it('ends between two statements of an engine that blocks the thread', async () => {
    expect(await interrupted(untilStopped, () => 'nothing was changed.')).toEqual({
      exitCode: 130,
      stderr: 'Interrupted: nothing was changed.\n',
    });
  });

  it('ends with the statement that is running, which is cancelled', async () => {
    const work = ({ stoppable }: Interruption) =>
      new Promise<number>((_, reject) => {
        stoppable.stop = () => reject(new Error('cancelled'));
        process.emit('SIGTERM');
      });
    expect(await interrupted(work, () => '1 of 2 steps are done.')).toEqual({
      exitCode: 130,
      stderr: 'Interrupted: 1 of 2 steps are done.\n',
    });
  });

  it('ends the process when the database does not respond', async () => {
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    vi.useFakeTimers();
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const stops: number[] = [];
    void interruptible(
      ({ stoppable }) => {
        stoppable.stop = () => stops.push(0);
        process.emit('SIGINT');
        return new Promise<number>(() => undefined);
      },
      () => 'nothing was changed.',
    );
    await expect(vi.advanceTimersByTimeAsync(3000)).rejects.toThrow('exit 130');
    expect(stops.length).toBeGreaterThan(1);
    expect(stderr).toHaveBeenCalledWith('Interrupted: nothing was changed. The database may still be undoing the last statement.\n');
    vi.useRealTimers();
  });

  it('is finished if nothing is left to interrupt', async () => {
    const work = async ({ pass }: Interruption) => {
      process.emit('SIGINT');
      await pass();
      return 3;
    };
    expect(await interrupted(work, () => undefined)).toEqual({ exitCode: 3, stderr: '' });
  });
});
