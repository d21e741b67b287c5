/** Statements in the form that the driver sends. */
import mysql, { type ExecuteValues } from 'mysql2';

export interface MysqlStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

interface BoundStatement {
  readonly text: string;
  readonly values: readonly ExecuteValues[];
}

/** The values of a request are longer than the server accepts. */
export class StatementTooLong extends Error {
  constructor(bytes: number) {
    super(`the server accepts statements of at most ${bytes} bytes (max_allowed_packet)`);
  }
}

/** Placeholders, and quoted names and texts, which may contain a question mark. */
const parts = /"(?:[^"]|"")*"|'(?:[^']|'')*'|IN \(\?\)|\?/g;
/** What the packet of a statement has besides texts and values. */
const overhead = 1024;

/** Longer lists are written into the text: a statement has at most 65535 placeholders. */
const maxPlaceholders = 1024;

/** Writes a list as placeholders where the text has `IN (?)`, and as one JSON text elsewhere. */
export function boundStatement({ text, parameters }: MysqlStatement, packetBytes: number): BoundStatement {
  const bound = parameters.some(Array.isArray) ? withLists(text, parameters) : { text, values: parameters.map(boundValue) };
  let bytes = overhead + bound.text.length;
  for (const value of bound.values) bytes += typeof value === 'string' ? Buffer.byteLength(value) : 10;
  if (bytes > packetBytes) throw new StatementTooLong(packetBytes);
  return bound;
}

function withLists(text: string, parameters: readonly unknown[]): BoundStatement {
  const values: ExecuteValues[] = [];
  let position = 0;
  const written = text.replace(parts, (part) => {
    if (part !== '?' && part !== 'IN (?)') return part;
    const parameter = parameters[position];
    position++;
    if (part === '?' || !Array.isArray(parameter)) {
      values.push(boundValue(Array.isArray(parameter) ? JSON.stringify(parameter) : parameter));
      return part;
    }
    const literals = parameter.length > maxPlaceholders ? parameter.map(literal) : [];
    if (literals.length > 0 && !literals.includes(undefined)) return `IN (${literals.join(',')})`;
    const list = powerOfTwo(parameter);
    values.push(...list.map(boundValue));
    return `IN (${list.map(() => '?').join(',')})`;
  });
  return { text: written, values };
}

/** Undefined for values that need a placeholder. Texts are written as their bytes, so that no mode
 *  of the server changes their meaning. */
function literal(value: unknown): string | undefined {
  if (typeof value === 'string') return `_utf8mb4 X'${Buffer.from(value).toString('hex')}'`;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Repeats the last item until there are 1, 2, 4, 8, … of them, so that few texts are prepared. */
function powerOfTwo(list: readonly unknown[]): unknown[] {
  const last = list.at(-1) ?? null;
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, list.length)));
  return [...list, ...Array.from({ length: length - list.length }, () => last)];
}

/** By itself, the driver sends integers as floating-point numbers, and big ones as texts. */
function boundValue(value: unknown): ExecuteValues {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)))
    return mysql.TypedParameter.LONGLONG(value) as unknown as ExecuteValues;
  return value as ExecuteValues;
}
