/** What a soak or a storm prints. */
import { rounded, short } from '../report.mjs';

/** @param {number} seconds that the load took */
export function figures({ requests, times, statuses }, { acknowledged, unanswered }, seconds) {
  const sorted = Float64Array.from(times).sort();
  const percentile = (part) => short(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
  const byStatus = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'no response' : status}: ${rounded(count)}`);
  return [
    `requests: ${rounded(requests)} in ${short(seconds)} s, ${short(requests / seconds)} a second; ${byStatus.join(', ')}`,
    `milliseconds: p50 ${percentile(0.5)}, p99 ${percentile(0.99)}, longest ${percentile(1)}`,
    `writes: ${rounded(acknowledged)} acknowledged, ${rounded(unanswered)} without a response of success`,
  ];
}

/** Prints the problems, and sets the exit code. */
export function finish(problems, more) {
  if (problems.length === 0) return console.log('No problems found.');
  for (const problem of problems.slice(0, 40)) console.error(problem);
  console.error(`${rounded(problems.length + more)} problems`);
  process.exitCode = 1;
}
