/** Describes a migration, for people and for programs. */
import type { Converted } from '../apply-migration.ts';
import type { Changes } from '../plan-changes.ts';
import type { Migrated } from '../prepare-database.ts';
import { describeWork, type Step } from '../steps.ts';
import { describeMoves, isMove, stopsStart } from './describe-refusal.ts';

export const isNothing = ({ work, destructive, offers }: Changes): boolean =>
  work.length === 0 && destructive.length === 0 && offers.length === 0;

/** `command` is the command line before the options of `migrate apply`. */
export function describeMigration(changes: Changes, command: string): string {
  if (isNothing(changes)) return 'Nothing to do: the database matches the schema files.\n';
  const { renames, additions, rows, formerLog, destructive, allowed, offers } = changes;
  const groups = [
    group('To rename:', renames.flatMap(stepLines)),
    group('To add:', additions.statements.map(describeWork)),
    group('Entries migrated to the options of their types:', rows.flatMap(stepLines)),
    group('Left by an earlier version:', formerLog.flatMap(stepLines)),
    group(
      allowed
        ? 'To set aside; nothing is dropped:'
        : `No longer needed, and left unless \`${command} --allow-destructive\` sets them aside; nothing is dropped:`,
      destructive.flatMap((step) => [...stepLines(step), '']),
    ),
    group(
      'These look like renames. They are done only with --rename, which replaces the steps above for the old and the new name:',
      offers.flatMap(({ name, step }) => [...stepLines(step), `$ ${command} --rename ${name}`, '']),
    ),
  ];
  return groups.filter((text) => text !== '').join('\n');
}

const stepLines = (step: Step & { readonly remark?: string }): string[] => [
  `-- ${step.reason}`,
  ...(step.remark === undefined ? [] : [`-- ${step.remark}`]),
  ...step.work.map(describeWork),
];

function group(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  return [title, '', ...body.map((line) => (line === '' ? '' : `  ${line}`)), ''].join('\n');
}

/** The same as JSON; its keys are stable, and the texts of `reason` and `remark` are for people. */
export function changesAsJson(changes: Changes, command: string) {
  const plain = ({ work, ...step }: Step) => ({ ...step, statements: work.map(describeWork) });
  return {
    nothingToDo: isNothing(changes),
    renames: changes.renames.map(plain),
    additions: changes.additions.statements.map(describeWork),
    rows: changes.rows.map(plain),
    tableVersions: changes.formerLog.map(plain),
    destructive: { allowed: changes.allowed, steps: changes.destructive.map(plain) },
    offeredRenames: changes.offers.map(({ name, step }) => ({ rename: name, command: `${command} --rename ${name}`, ...plain(step) })),
  };
}

/** Describes what was done and what was left. */
export function describeMigrated({ outcome, changes, converted, hasFinished }: Extract<Migrated, { ok: true }>, command: string): string {
  const { renames, additions, rows, formerLog, destructive, allowed, offersLeft } = changes;
  const done = allowed ? destructive : [];
  const lines = [
    ...(hasFinished ? ['The migration that was interrupted is finished.'] : []),
    ...[...renames, ...done].map(({ reason }) => reason),
    ...converted.map(describeConverted),
    ...added(additions, outcome),
    ...[...rows, ...formerLog].map(({ reason }) => reason),
    ...(outcome === 'unchanged' ? [isNothing(changes) ? 'There was nothing to do.' : 'Nothing was changed.'] : []),
    ...(allowed ? [] : left(destructive, command)),
    ...offersLeft
      .filter(({ name }) => !isMove(name))
      .flatMap(({ name, step }) => [`Looks like a rename: ${step.reason}`, `  ${command} --rename ${name}`]),
    ...(stopsStart(changes) ? ['The server does not start yet.', ...nextCommands(changes, command)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The steps after which the entries can be served. */
function nextCommands(changes: Changes, command: string): string[] {
  const rows = changes.destructive.filter(({ kind }) => kind === 'rows');
  return [
    ...describeMoves({ offers: changes.offersLeft }, command),
    ...(rows.length === 0
      ? []
      : [
          `${rows.map(({ what }) => what).join(', ')}: run \`${command} --allow-destructive\` to set them aside, or switch the option back in the schema file.`,
        ]),
  ];
}

function added({ missingTables, missingColumns, missingIndexes, statements }: Changes['additions'], outcome: string): string[] {
  if (statements.length === 0) return [];
  const parts = [
    counted(missingTables.length, 'table'),
    counted(missingColumns.length, 'column'),
    counted(missingIndexes.length, 'index', 'indexes'),
  ].filter((part) => part !== '');
  return [`${outcome === 'created' ? 'Created a new database' : 'Added'}: ${parts.join(', ')}.`];
}

const counted = (count: number, one: string, many = `${one}s`): string => (count === 0 ? '' : `${count} ${count === 1 ? one : many}`);

function left(destructive: Changes['destructive'], command: string): string[] {
  if (destructive.length === 0) return [];
  return [
    'Left, because --allow-destructive was not given:',
    ...destructive.map(({ kind, table, column, what }) =>
      kind === 'rows'
        ? `  ${what}`
        : kind === 'table'
          ? `  the table "${table}"`
          : `  the column "${column}" of "${table}"${kind === 'type' ? ', which has another type now' : ''}`,
    ),
    `  ${command} --allow-destructive`,
  ];
}

function describeConverted({ table, column, keptAs, copied, left }: Converted): string {
  const some = `${counted(copied, 'value') || 'No value'} of "${table}"."${column}" ${copied === 1 ? 'was' : 'were'} converted`;
  return left === 0
    ? `${some}.`
    : `${some}; ${counted(left, 'value')} could not be converted, and ${left === 1 ? 'is' : 'are'} only in "${keptAs}".`;
}
