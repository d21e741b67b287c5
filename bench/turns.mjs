/** Measures servers in turns, since the speed of the machine may change within a minute. */
import { loadPaths, treeProcessorTime } from './processes.mjs';

/** Seconds of load before the first round, for a row that does not say otherwise. */
const shortWarmUp = 1;

/**
 * @typedef {object} Side one of the servers, or one server in other circumstances
 * @property {string} server its name in the table
 * @property {string} base
 * @property {number} [pid] to know the processor time
 * @property {() => void} [begin] before each round
 * @property {() => unknown} [end] after each round
 */

/** Loads each server with the paths of a scenario, round by round. Failed requests are in the figures: they cost one row, not the run.
 *  @param {(Side & {paths: string[]})[]} rivals
 *  @param {{seconds: number, rounds: number, warmUp?: number}} lengths */
export async function takeTurns(rivals, { seconds, rounds, warmUp = shortWarmUp }) {
  const sides = rivals.map((rival) => ({ ...rival, from: 0, rounds: [] }));
  for (const side of sides) await runRound(side, warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      side.rounds.push(await runRound(side, seconds));
    }
  }
  return sides.map(({ server, rounds, counts: writes }) => ({ server, rounds, writes }));
}

async function runRound(side, seconds) {
  const { base, paths, pid, from } = side;
  side.begin?.();
  const before = treeProcessorTime(pid);
  const { sent, ...figures } = await loadPaths({ base, paths, from, seconds });
  const processor = (treeProcessorTime(pid) - before) / sent;
  await side.end?.();
  // The next round goes on where this one ended, so that its values are others.
  side.from += sent;
  return { ...figures, processor };
}
