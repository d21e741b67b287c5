import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('..', import.meta.url));
/** Files whose subject is SQL. `pipeline/execute/write/` writes a difference, table by table. */
const home = [/^(sql|dialects|pipeline\/compile|pipeline\/execute\/write|tables|migrations)\//, /-store\.ts$/, /\.test\.ts$/];
const keywords =
  /\b(SELECT\s|INSERT INTO|UPDATE\s+[$\w"]|DELETE FROM|CREATE (TABLE|INDEX)|ALTER TABLE|ORDER BY|LEFT JOIN|WHERE\s+[$\w"(]|SET\s+[$\w"])/;
const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');

/** Someone who changes a table finds every statement about it in these places. */
it('SQL stands in its own folders and in stores', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const strangers = files.filter(
    (file) => !home.some((pattern) => pattern.test(file)) && keywords.test(withoutComments(readFileSync(`${source}${file}`, 'utf8'))),
  );
  expect(strangers).toEqual([]);
});
