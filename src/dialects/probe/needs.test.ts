/** The tables of docs/scaling.md, "Distributed engines", name what the statements use.
 *  `lectern check --database` tries the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { mysqlNeeds } from './mysql-needs.ts';
import type { Need } from './need.ts';
import { postgresNeeds } from './postgres-needs.ts';

const source = fileURLToPath(new URL('../..', import.meta.url));
const page = fileURLToPath(new URL('../../../docs/scaling.md', import.meta.url));

/** The folders in which SQL may stand (`sql-stays-here.test.ts`). */
const home = [/^(sql|dialects|pipeline\/compile|pipeline\/execute\/write|tables|migrations)\//, /-store\.ts$/];
const strange = [/\.test\.ts$/, /^dialects\/probe\//, /sqlite/];

/** What every engine has, and types: nobody needs to try them. */
const plain =
  /^(avg|cast|coalesce|count|floor|length|lower|max|min|replace|right|left|substr|sum|greatest|concat|if|extract|database|version|numeric|decimal|bit|varchar|time|timestamp|datetime)$/i;

/** The texts in the source: those of statements among them. */
function textsOf(isOther: (file: string) => boolean): string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && home.some((each) => each.test(file)) && !strange.some((each) => each.test(file)) && !isOther(file),
  );
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(ts.createSourceFile(file, readFileSync(`${source}${file}`, 'utf8'), ts.ScriptTarget.Latest));
  return texts;
}

/** Functions that are called, and tables of the engine's catalogue. What follows `AS` is the name
 *  of a relation and its columns. */
function usedNames(texts: readonly string[]): Set<string> {
  const names = texts.flatMap((text) => [
    ...[...text.matchAll(/(?<!\bAS )\b([a-z]\w+)\(/gi)].map(([, name = '']) => name),
    ...[...text.matchAll(/\b(?:pg_\w+|information_schema\.\w+)/g)].map(([name]) => name),
  ]);
  return new Set(names.filter((name) => !plain.test(name)));
}

/** Statements of both engines stand in one file. */
const ofBoth = { postgres: /^information_schema\.[A-Z]/, mysql: /^(?:pg_|current_(?:schema|setting)$)/ };
/** A type, a method in paths of JSON, and what is no function. */
const notNeeded = new Set(['pg_lsn', 'type', 'exists', 'ARRAY']);

describe.each<['postgres' | 'mysql', readonly Need<never>[], (file: string) => boolean]>([
  ['postgres', postgresNeeds, (file) => /mysql/.test(file)],
  ['mysql', mysqlNeeds, (file) => /postgres/.test(file)],
])('what Lectern needs of %s', (client, needs, isOther) => {
  const texts = textsOf(isOther);
  const named = needs.flatMap(({ what }) => [...what.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace('()', '')));

  it('names every function and table of the engine that statements use', () => {
    const lower = new Set(named.map((name) => name.toLowerCase()));
    const used = [...usedNames(texts)].filter((name) => !notNeeded.has(name) && !ofBoth[client].test(name));
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name) => !lower.has(name.toLowerCase())).join(', ')).toBe('');
  });

  it('names nothing that no statement uses any more', () => {
    const all = texts.join('\n').toLowerCase();
    expect(named.filter((name) => !all.includes(name.toLowerCase())).join(', ')).toBe('');
  });
});

it('what Lectern needs of PostgreSQL is a table of docs/scaling.md', async () => {
  const rows = postgresNeeds.map(({ what, usedFor, without }) => `| ${what} | ${usedFor} | ${without} |`);
  const table = ['| what | used for | without it |', '| --- | --- | --- |', ...rows].join('\n');
  const [before, rest = ''] = readFileSync(page, 'utf8').split('<!-- needs-postgres -->\n');
  const after = rest.slice(rest.indexOf('<!-- /needs-postgres -->'));
  await expect(`${before}<!-- needs-postgres -->\n${table}\n${after}`).toMatchFileSnapshot(page);
});
