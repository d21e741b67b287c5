/** The tables that a run prints. */
import { availableParallelism, cpus, loadavg } from 'node:os';

export const rounded = (number, digits = 0) =>
  number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: number >= 10_000 });
/** Three digits, for durations and ratios. */
export const short = (number) =>
  Number.isFinite(number) ? rounded(number, number < 0.1 ? 3 : number < 10 ? 2 : number < 100 ? 1 : 0) : '?';

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** The median, and the least and the most. */
export const spread = (numbers, shown = short) => {
  const middle = shown(median(numbers));
  return numbers.length === 1 ? middle : `${middle} (${shown(Math.min(...numbers))}–${shown(Math.max(...numbers))})`;
};

export const printProgress = (text) => process.stderr.write(`${text}\n`);

export const whole = (number) => rounded(number, number > 0 && number < 10 ? 1 : 0);

/** One row for each scenario: the figures of its first server, and for each other one its requests, and how many times as many the first one had. */
export function scenarioTable(results) {
  const rivals = [...new Set(results.flatMap(({ sides }) => sides.slice(1).map(({ server }) => server)))];
  const head = [
    ...['scenario', 'requests/s (min–max)', 'p50 ms', 'p99 ms', 'CPU ms', 'bytes', 'statements'],
    ...rivals.flatMap((server) => [`${server}: requests/s`, 'ratio (min–max)', 'CPU ratio']),
  ];
  const rows = results.map(({ label, bytes, statements, sides: [own, ...others] }) => [
    label,
    spread(
      own.rounds.map(({ perSecond }) => perSecond),
      whole,
    ),
    ...['p50', 'p99', 'processor'].map((figure) => short(median(own.rounds.map((round) => round[figure])))),
    bytes === undefined ? '' : rounded(bytes),
    statements ?? '',
    ...rivals.flatMap((rival) => {
      const other = others.find(({ server }) => server === rival);
      if (other === undefined) return ['', '', ''];
      const { requests, ratios, processor } = compare(own, other);
      return [whole(requests), spread(ratios), Number.isNaN(processor) ? '' : short(processor)];
    }),
  ]);
  return table(head, rows);
}

/** Compares neighbouring rounds. Ratios above 1 are in favour of `own`. */
export function compare(own, other) {
  const of = (figure) => own.rounds.map((round, index) => figure(round, other.rounds[index]));
  return {
    requests: median(other.rounds.map(({ perSecond }) => perSecond)),
    ratios: of((ours, theirs) => ours.perSecond / theirs.perSecond),
    processor: median(of((ours, theirs) => theirs.processor / ours.processor)),
  };
}

/** The requests of each scenario in several runs, and what part of those in the first run they are. */
export function overview(runs) {
  const [first, ...later] = runs;
  const requests = ({ results }, name) => {
    const result = results.find((each) => each.name === name);
    return result && median(result.sides[0].rounds.map(({ perSecond }) => perSecond));
  };
  const rows = first.results.map(({ name, label }) => {
    const before = requests(first, name);
    return [
      label,
      whole(before),
      ...later.map((run) => {
        const now = requests(run, name);
        return now === undefined ? '' : `${whole(now)} (${rounded((100 * now) / before)} %)`;
      }),
    ];
  });
  return table(['requests/s', ...runs.map(({ title }) => title)], rows);
}

/** The first columns, `texts` of them, hold text, the others figures. */
export function table(head, rows, texts = 1) {
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index].length)));
  const line = (cells) =>
    `| ${cells.map((cell, index) => (index < texts ? cell.padEnd(widths[index]) : cell.padStart(widths[index]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The machine that the figures depend on. */
export function machine() {
  const [{ model } = { model: 'unknown processor' }] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  return { date, node: process.versions.node, processors: availableParallelism(), model: model.trim(), load: loadavg() };
}

export function machineLine() {
  const { node, processors, model, load } = machine();
  return `Node ${node}, ${processors} × ${model}, load average ${load.map((average) => average.toFixed(1)).join(' ')}`;
}
