/** Cold starts, and the memory of a server. */
import { memoryOf, proportionalTreeMemory, treeProcessorTime } from './processes.mjs';
import { short, spread } from './report.mjs';

const starts = 5;

/** Starts a server, until its first response: milliseconds since the command, processor time of all its processes, megabytes.
 *  @param {() => Promise<{base: string, since: number, pid: number, stop: () => Promise<void>}>} start */
export async function measureStart(start, path) {
  const server = await start();
  try {
    const listening = performance.now() - server.since;
    const response = await fetch(server.base + path);
    await response.arrayBuffer();
    const milliseconds = performance.now() - server.since;
    if (response.status !== 200) throw new Error(`${path} responds with ${response.status}`);
    return { listening, milliseconds, processor: treeProcessorTime(server.pid), memory: memoryOf(server.pid)?.now };
  } finally {
    await server.stop();
  }
}

export async function measureStarts(start, path) {
  const measured = [];
  for (let number = 0; number < starts; number++) measured.push(await measureStart(start, path));
  return measured;
}

export const startsLine = (measured) =>
  `Start to the first response: ${spread(measured.map(({ milliseconds }) => milliseconds))} ms, ` +
  `${spread(measured.map(({ processor }) => processor))} ms of processor time, ${measured.length} starts`;

/** Megabytes; undefined if the system does not report them. */
export function measureMemory(pid) {
  const server = memoryOf(pid);
  return (
    server && { server: server.now, most: server.most, threads: server.threads, withProcesses: proportionalTreeMemory(pid) / 1024 / 1024 }
  );
}

export const memoryLine = (memory) =>
  memory === undefined
    ? 'Memory after load: this system does not report it'
    : `Memory after load: ${short(memory.server)} MB resident, at most ${short(memory.most)} MB, ${memory.threads} threads; ` +
      `${short(memory.withProcesses)} MB proportional set size with its processes`;
