/** `node load.mjs URL SECONDS [HEADERS]` (as JSON): autocannon with 16 connections; prints one JSON line. autocannon's own percentiles are whole
 *  milliseconds, which is too coarse here, so they are computed from the single responses. */
import autocannon from 'autocannon';

const [url, seconds, headers = '{}'] = process.argv.slice(2);
const times = [];
let refused = 0;

const run = autocannon({ url, headers: JSON.parse(headers), connections: 16, duration: Number(seconds), timeout: 10 });
run.on('response', (_client, status, _bytes, milliseconds) => {
  if (status === 200) times.push(milliseconds);
  else refused++;
});
const { errors, timeouts, duration } = await run;

times.sort((a, b) => a - b);
const percentile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
process.stdout.write(
  JSON.stringify({
    responses: times.length,
    perSecond: times.length / duration,
    p50: percentile(0.5),
    p99: percentile(0.99),
    failed: refused + errors + timeouts,
  }),
);
