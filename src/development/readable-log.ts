/** Log lines for people: `12:30:01 GET /api/articles?sort=title 200 3.2 ms`. */
import pretty from 'pino-pretty';
import { printable } from '../text/printable.ts';

/** Maximum of lines kept while a question is open; further ones are dropped and counted. */
const maxBuffered = 1000;

/** Writes to standard error, except while a question is asked there. */
export class ReadableLog {
  readonly #isColoured = process.stderr.isTTY === true && process.env.NO_COLOR === undefined;
  #buffer: string[] | undefined;
  #dropped = 0;
  readonly #prettify = pretty.prettyFactory({
    colorize: this.#isColoured,
    colorizeObjects: false,
    // What the message repeats, and what says nothing on one's own machine.
    ignore: 'time,level,pid,hostname,requestId,reqId,method,url,status,milliseconds',
    messageFormat: (line, key, _, { colors }) => messageOf(line, key, colors),
  });

  /** Takes a line of pino's JSON. */
  write(line: string): void {
    this.print(this.#prettify(line));
  }

  print(text: string): void {
    if (this.#buffer === undefined) process.stderr.write(text);
    else if (this.#buffer.length < maxBuffered) this.#buffer.push(text);
    else this.#dropped += 1;
  }

  pause(): void {
    this.#buffer ??= [];
  }

  resume(): void {
    const texts = this.#buffer ?? [];
    this.#buffer = undefined;
    for (const text of texts) this.print(text);
    if (this.#dropped > 0) this.print(`${this.#dropped} more lines were dropped meanwhile.\n`);
    this.#dropped = 0;
  }
}

type Line = Readonly<Record<string, unknown>>;
type Colours = Readonly<Record<'red' | 'yellow' | 'green' | 'gray', (text: string) => string>>;

function messageOf(line: Line, key: string, colours: Colours): string {
  const time = typeof line.time === 'number' ? clock(new Date(line.time)) : '';
  const { method, url, status, milliseconds } = line;
  if (typeof method !== 'string' || typeof status !== 'number')
    return [colours.gray(time), levelOf(line), String(line[key] ?? '')].join(' ');
  const colour = status >= 500 ? colours.red : status >= 400 ? colours.yellow : colours.green;
  return [colours.gray(time), method, shown(String(url)), colour(String(status)), colours.gray(`${String(milliseconds)} ms`)].join(' ');
}

/** The names of pino's numbers. */
const levelOf = ({ level }: Line): string => (Number(level) >= 50 ? 'ERROR' : Number(level) >= 40 ? 'WARN' : 'INFO');

const clock = (time: Date): string =>
  [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');

/** The URL with readable brackets, which clients encode. */
const shown = (url: string): string => printable(url).replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']').replaceAll('%24', '$');
