/** The tables that a run prints. */

const rounded = (number, digits = 0) =>
  number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: number >= 10_000 });
const time = (milliseconds) => (Number.isNaN(milliseconds) ? '?' : rounded(milliseconds, milliseconds < 10 ? 2 : 1));

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const spread = (numbers, digits) => `${rounded(Math.min(...numbers), digits)}–${rounded(Math.max(...numbers), digits)}`;

const columns = [
  'scenario',
  'server',
  'requests/s',
  'min–max',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'bytes',
  'statements',
  'ratio',
  'min–max',
  'CPU ratio',
];

/** @param {{name: string, bytes: number, statements: string, sides: {server: string, rounds: object[]}[]}[]} results */
export function scenarioTable(results) {
  const rows = results.flatMap(({ name, bytes, statements, sides }) =>
    sides.map(({ server, rounds }, index) => {
      const perSecond = rounds.map((round) => round.perSecond);
      const figures = [
        rounded(median(perSecond)),
        spread(perSecond),
        time(median(rounds.map(({ p50 }) => p50))),
        time(median(rounds.map(({ p99 }) => p99))),
        // Processor time of all threads for one response; other programs on the machine hardly affect it.
        time(median(rounds.map(({ processor }) => processor))),
      ];
      if (index === 0) return [name, server, ...figures, rounded(bytes), statements, ...ratio(sides)];
      return ['', server, ...figures, '', '', '', '', ''];
    }),
  );
  return table(columns, rows);
}

/** Compares consecutive rounds, since the speed of the machine may change within a minute. */
function ratio([own, other]) {
  if (other === undefined) return ['', '', ''];
  const ratios = own.rounds.map(({ perSecond }, index) => perSecond / other.rounds[index].perSecond);
  const processor = median(own.rounds.map((round, index) => other.rounds[index].processor / round.processor));
  return [`${rounded(median(ratios), 2)} ×`, spread(ratios, 2), `${rounded(processor, 2)} ×`];
}

/** The first two columns hold text, the others figures. */
export function table(head, rows) {
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index].length)));
  const line = (cells) =>
    `| ${cells.map((cell, index) => (index < 2 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function summary({ starts, memory, written, writes }) {
  const lines = [`Start-up to the first response: ${rounded(median(starts))} ms (${spread(starts)}, ${starts.length} starts)`];
  lines.push(
    memory === undefined
      ? 'Memory after load: this system does not say'
      : `Memory after load: ${rounded(memory.now)} MB resident, at most ${rounded(memory.most)} MB, ${memory.threads} threads`,
  );
  if (written !== undefined)
    lines.push(`Meanwhile ${rounded(written.commits / written.seconds, 1)} commits a second (${writes} asked for)`);
  return lines.join('\n');
}
