/** The findings as text for a terminal. */
import { counted } from '../text/counted.ts';
import { printable, printableJson } from '../text/printable.ts';
import { type CodePlace, type DoctorFinding, type Group, groups, proposalOf } from './findings.ts';
import { type MergedFinding, mergeFindings } from './merge-findings.ts';
import type { Replacement } from './replacement/replacement.ts';
import type { Sketch } from './replacement/sketch-book.ts';

export interface Paper {
  readonly columns: number;
  readonly isColoured: boolean;
}

const titles: Readonly<Record<Group, string>> = {
  decide: 'DECIDE: what should happen?',
  notServed: 'NOT SERVED: Strapi does it, Lectern does not',
  honoured: 'HONOURED: values of config/ that apply, and code that settings replace',
  served: 'SERVED THE SAME',
};

/** Shown names and positions of a finding, unless the code is left out without an error. */
const maxNames = 8;
const maxPositions = 3;
/** Lines for each key of the proposed configuration. */
const maxEntries = 100;

/** `hint`: what follows the findings, before their number. */
export function printFindings(findings: readonly DoctorFinding[], paper: Paper, hint = ''): string {
  const lines: string[] = [];
  for (const group of groups) {
    const ofGroup = findings.filter((each) => each.group === group);
    lines.push(...bold(wrap(`${titles[group]} (${ofGroup.length})`, paper), paper));
    if (ofGroup.length === 0) lines.push('  nothing');
    const isShort = group === 'honoured' || group === 'served';
    for (const each of mergeFindings(ofGroup)) lines.push(...(isShort ? short(each, paper) : long(each, paper)));
    if (group === 'decide') lines.push(...proposal(ofGroup, paper));
    lines.push('');
  }
  lines.push(...wrap(`${inNoProject}${hint}`, paper), '', ...bold(wrap(`${summary(findings)}.`, paper), paper));
  return `${lines.join('\n')}\n`;
}

const inNoProject =
  'Not served in any project: the admin panel, the content-type builder, GraphQL. Strapi can go on serving them beside Lectern, on the same database. What code does is derived from its text, since it is not run; it may do more. Requests are served without the code that is marked with !, with no error that shows it.';

/** `2 to decide, 3 not served, 1 not served by decision, 12 honoured, 9 served the same`. */
function summary(findings: readonly DoctorFinding[]): string {
  const count = (group: Group, isOpen?: boolean) =>
    findings.filter((each) => each.group === group && (isOpen === undefined || each.isOpen === isOpen)).length;
  const decided = count('notServed', false);
  return [
    `${count('decide')} to decide`,
    `${count('notServed', true)} not served`,
    ...(decided === 0 ? [] : [`${decided} decided`]),
    `${count('honoured')} honoured`,
    `${count('served')} served the same`,
  ].join(', ');
}

/** A mark (`!` if code may be left out without an error), subjects, their treatment, their code. */
function long(each: MergedFinding, paper: Paper): readonly string[] {
  // Names that say where the code is need no positions: --json has all of them.
  const max = each.isSecurity && each.subjects.length < each.positions.length ? each.positions.length : maxPositions;
  const positions = each.positions.length === 0 ? '' : ` (${cut(byFile(each.positions), max).join(', ')})`;
  return [
    ...bold(wrap(names(each), paper, each.isSecurity ? '  ! ' : '  - ', '    '), paper),
    ...wrap(`${each.what}${positions}`, paper, '    '),
    ...each.code.flatMap((place) => wrap(describePlace(place, each), paper, '      ', '        ')),
    ...(each.instead === undefined ? [] : wrap(describeReplacement(each.instead, each.sketchFiles), paper, '    ')),
  ];
}

function short(each: MergedFinding, paper: Paper): readonly string[] {
  const hasPosition = each.positions.length > 0 && each.group === 'honoured';
  const position = hasPosition ? ` (${cut(byFile(each.positions), maxPositions).join(', ')})` : '';
  return wrap(`${names(each)}: ${each.what}${position}`, paper, '  ', '    ');
}

const names = ({ subjects, isSecurity }: MergedFinding) => cut(subjects, isSecurity ? subjects.length : maxNames).join(', ');

function describePlace({ name, file, line, seemsTo }: CodePlace, { positions }: MergedFinding): string {
  const position = file === undefined ? undefined : `${file}${line === undefined ? '' : `:${line}`}`;
  const isKnown = position !== undefined && positions.includes(position);
  const where = [name, isKnown ? undefined : position].filter((text) => text !== undefined).join(' in ');
  const does = seemsTo.length > 0 ? seemsTo.join('; ') : file === undefined ? 'not in this project' : 'nothing that is recognised';
  return where === '' ? does : `${where}: ${does}`;
}

/** One line of a finding. */
function describeReplacement({ what, needsCode, pages }: Replacement, files: readonly string[]): string {
  const where = files.length === 0 ? '' : `; ${cut(files, maxPositions).join(', ')}`;
  return `Instead${needsCode ? '' : ', without code'}: ${what}${where} (${pages.join(', ')})`;
}

/** The files that replace code, each with its beginning. */
export function printSketches(sketches: readonly Sketch[]): string {
  if (sketches.length === 0) return '\nThere is nothing to sketch.\n';
  const files = sketches.map(({ file, text }) => `--- ${printable(file)}\n${text.split('\n').map(printable).join('\n')}`);
  return `\n${sketchesTitle}\n\n${files.join('\n')}`;
}

const sketchesTitle = 'SKETCHES: beginnings of files; the comments say what to write';

/** `a.ts:9`, `a.ts:12` → `a.ts:9,12`. */
function byFile(positions: readonly string[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const position of positions) {
    const colon = position.lastIndexOf(':');
    const file = position.slice(0, colon);
    found.set(file, [...(found.get(file) ?? []), position.slice(colon + 1)]);
  }
  return [...found].map(([file, lines]) => `${file}:${lines.join(',')}`);
}

const cut = (texts: readonly string[], max: number): readonly string[] =>
  texts.length <= max ? texts : [...texts.slice(0, max), `and ${counted(texts.length - max, 'other')}`];

/** What to write into lectern.config.json: one line for each key, so that lines can be left out. */
function proposal(findings: readonly DoctorFinding[], paper: Paper): readonly string[] {
  const parts = Object.entries(proposalOf(findings)).map(([name, values]): readonly [name: string, lines: readonly string[]] => [
    name,
    Object.entries(values).map(([key, value]) => `    ${printableJson(key)}: ${printableJson(value)}`),
  ]);
  if (parts.length === 0) return [];
  const more = parts.reduce((sum, [, lines]) => sum + Math.max(0, lines.length - maxEntries), 0);
  const rest = more === 0 ? '' : ` ${counted(more, 'further line')}: --json, below "write".`;
  const objects = parts.map(([name, lines]) => `  "${name}": {\n${lines.slice(0, maxEntries).join(',\n')}\n  }`);
  const words =
    'Write this into lectern.config.json. Instead of "refuse" (501), "serve" (without the code) and "forward" (with upstream) are possible.';
  return ['', ...wrap(`${words}${rest}`, paper, '  '), `{\n${objects.join(',\n')}\n}`];
}

const bold = (lines: readonly string[], { isColoured }: Paper): readonly string[] =>
  isColoured ? lines.map((line) => `\u001b[1m${line}\u001b[22m`) : lines;

/** Breaks at spaces, with `indent` before the first line and `further` before the others. Removes
 *  control characters from the project's texts. */
function wrap(text: string, { columns }: Paper, indent = '', further = indent): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  for (const word of printable(text).split(' ')) {
    if (!isEmpty && line.length + word.length + 1 > columns) {
      lines.push(line);
      line = further + word;
    } else line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
