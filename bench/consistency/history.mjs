/** The history of a consistency test: a file with one JSON object in each line, in the order of time.
 *
 *  The first line describes the run: `{"type":"info","f":"begin","on","seed","staleness","time":0}`. `staleness` is the age in milliseconds that a read
 *  without a position may have, with the margin of the measurement. Each other line is the beginning (`invoke`) or the end of an operation of a process,
 *  which has one at a time: `ok`, `fail` (it did nothing), or `info` (nobody knows). `time` is in milliseconds. */
import { createWriteStream, readFileSync } from 'node:fs';

export class History {
  #stream;
  #began = performance.now();

  constructor(file, description) {
    this.#stream = createWriteStream(file);
    this.add({ type: 'info', f: 'begin', ...description });
  }

  add(entry) {
    this.#stream.write(`${JSON.stringify({ ...entry, time: Math.round((performance.now() - this.#began) * 1000) / 1000 })}\n`);
  }

  /** Resolves when everything is in the file. */
  end() {
    return new Promise((resolve, reject) => {
      this.#stream.once('error', reject);
      this.#stream.end(resolve);
    });
  }
}

/** @returns {object[]} the lines; the last one may be cut off if the run was killed */
export function readHistory(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line));
}
