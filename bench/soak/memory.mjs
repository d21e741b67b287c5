/** Watches the memory of a server: its main process, the heap of that process after garbage collections, and the mean of all processes, whose number depends on
 *  the load. */
import { readFileSync } from 'node:fs';
import { descendantsOf, memoryOf } from '../processes.mjs';
import { median } from '../report.mjs';

const megabyte = 1024 * 1024;
/** Seconds. In a shorter soak memory is not judged, since caches are still filling and code is being compiled. */
const leastSeconds = 60;
/** By how much memory may be larger in the last third than in the one before: a share of it, and megabytes. */
const tolerance = { main: { part: 0.08, megabytes: 12 }, mean: { part: 0.08, megabytes: 6 }, heap: { part: 0.05, megabytes: 3 } };

export function watchMemory(server, seconds) {
  const samples = { main: [], mean: [], heap: [] };
  const since = performance.now();
  let heaps = 0;
  const look = () => {
    const at = (performance.now() - since) / 1000;
    const own = [server.pid, ...descendantsOf(server.pid)].map(ownMemory).filter((bytes) => bytes > 0);
    samples.main.push({ at, bytes: (memoryOf(server.pid)?.now ?? 0) * megabyte });
    samples.mean.push({ at, bytes: own.reduce((sum, bytes) => sum + bytes, 0) / own.length });
    const printed = [...server.output.stderr.matchAll(/^heap: (\d+)$/gm)];
    for (const [, bytes] of printed.slice(heaps)) samples.heap.push({ at, bytes: Number(bytes) });
    heaps = printed.length;
  };
  const timers = [setInterval(look, 500), setInterval(() => process.kill(server.pid, 'SIGUSR2'), Math.max(1000, (seconds * 1000) / 30))];
  return {
    /** @returns {{lines: string[], problems: string[]}} */
    stop() {
      for (const timer of timers) clearInterval(timer);
      look();
      const results = Object.entries(samples).map(([name, found]) => judge(name, found, seconds));
      return { lines: results.map(({ line }) => line), problems: results.flatMap(({ problem }) => problem ?? []) };
    },
  };
}

const names = {
  main: 'memory of the main process',
  mean: 'mean of all processes, shared pages divided among them',
  heap: 'heap of the main thread after garbage collections',
};

/** Bytes of a process, with its share of shared pages; 0 after it has ended. */
function ownMemory(pid) {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function judge(name, samples, seconds) {
  const thirds = [0, 1, 2].map((third) =>
    samples.filter(({ at }) => Math.min(2, Math.floor((3 * at) / seconds)) === third).map(({ bytes }) => bytes / megabyte),
  );
  if (thirds.some((third) => third.length === 0))
    return { line: `${names[name]}: too few samples`, ...(seconds < leastSeconds ? {} : { problem: `${names[name]}: no samples` }) };
  const [first, middle, last] = thirds.map(median);
  const slope = slopeOf(samples.filter(({ at }) => at >= seconds / 3));
  const { part, megabytes } = tolerance[name];
  const most = middle * (1 + part) + megabytes;
  const shown = `${first.toFixed(1)}, ${middle.toFixed(1)}, ${last.toFixed(1)} MB in the thirds (medians), ${slope.toFixed(1)} MB a minute after the first`;
  const judged = seconds < leastSeconds ? `; not judged in less than ${leastSeconds} s` : '';
  const grows = seconds >= leastSeconds && last > most;
  return {
    line: `${names[name]}: ${shown}${judged}`,
    ...(grows ? { problem: `${names[name]} grows: more than ${most.toFixed(1)} MB in the last third` } : {}),
  };
}

/** Megabytes a minute, by least squares. */
function slopeOf(samples) {
  const mean = (figures) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  const [x, y] = [mean(samples.map(({ at }) => at)), mean(samples.map(({ bytes }) => bytes))];
  const over = samples.reduce((sum, { at, bytes }) => sum + (at - x) * (bytes - y), 0);
  const under = samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
  return under === 0 ? 0 : (over / under / megabyte) * 60;
}
