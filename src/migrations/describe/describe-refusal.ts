/** Describes why a database cannot be served. */
import type { ContentModel } from '../../model/content-model.ts';
import type { DatabaseOrigin } from '../../tables/database-origin.ts';
import type { Column, Table } from '../../tables/table.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import type { Changes, DatabaseState } from '../plan-changes.ts';
import type { RowChange } from '../rows/row-changes.ts';
import type { MigrationPlan } from '../schema/additions.ts';
import type { DestructiveStep } from '../steps.ts';

/** Tables of Strapi's admin panel: nothing that is served depends on them. */
const adminOnly = new Set(['admin::permission', 'admin::role', 'admin::session']);
/** Columns that earlier versions of Strapi 5 lack; they are read only where they exist. */
const newerColumns = new Set(['strapi_api_tokens.kind', 'strapi_api_tokens.encrypted_key']);

function isNeeded(table: Table, column?: Column): boolean {
  const { uid, attribute } = table.origin;
  if (uid === 'system') return table.name === 'strapi_core_store_settings';
  if (adminOnly.has(uid)) return false;
  // Lectern reads only one relation between tables of the panel: permissions of API tokens.
  if (attribute !== undefined && uid.startsWith('admin::') && uid !== 'admin::api-token-permission') return false;
  return column === undefined || !newerColumns.has(`${table.name}.${column.name}`);
}

/** One message for each missing table or column that serving needs, except those of the types
 *  `except`. `dir` is the project folder, for the commands. */
export function describeMissing(
  plan: MigrationPlan,
  model: ContentModel,
  { origin, except, dir }: { readonly origin: DatabaseOrigin; readonly except: ReadonlySet<string>; readonly dir: string | undefined },
): string[] {
  const sourceOf = (table: Table): string => {
    const { uid } = table.origin;
    const source = (model.contentTypes.get(uid) ?? model.components.get(uid))?.source;
    return source === undefined || source === 'built in' ? '' : ` (${source})`;
  };
  const holder = (table: Table, attribute?: string): string => {
    const { uid } = table.origin;
    if (uid === 'system') return 'settings';
    const name = attribute ?? table.origin.attribute;
    return `${name === undefined ? uid : `the attribute "${name}" of ${uid}`}${sourceOf(table)}`;
  };
  const remedy = `${origin === 'strapi' ? 'Start Strapi once with these schemas, or run' : 'Run'} \`${lecternCommand('migrate apply', dir)}\` to add it.`;
  return [
    ...plan.missingTables
      .filter((table) => isNeeded(table) && !except.has(table.origin.uid))
      .map((table) => `The database has no table "${table.name}" for ${holder(table)}. ${remedy}`),
    ...plan.missingColumns
      .filter(({ table, column }) => isNeeded(table, column))
      .map(
        ({ table, column }) => `The table "${table.name}" has no column "${column.name}" for ${holder(table, column.attribute)}. ${remedy}`,
      ),
  ];
}

/** One message for each type whose rows do not match its options. */
export function describeRowChanges(changes: readonly RowChange[], origin: DatabaseOrigin, dir: string | undefined): string[] {
  return changes.map((change) => {
    const removes = change.kind === 'removeDrafts' || change.kind === 'removeLocales';
    const strapi = removes ? '; Strapi deletes them at its next start' : ', or start Strapi once with these schemas';
    return `${whatIsWrong(change)} Run \`${lecternCommand('migrate plan', dir)}\`, which prints the steps${origin === 'strapi' ? strapi : ''}.`;
  });
}

function whatIsWrong({ kind, type: { uid, source }, rows }: RowChange): string {
  const name = `${uid} (${source})`;
  const entries = `the database has ${rows.toLocaleString('en-US')} ${rows === 1 ? 'entry' : 'entries'} of it`;
  switch (kind) {
    case 'makeDrafts':
      return `${name} has Draft & Publish, and ${entries} without a draft.`;
    case 'removeDrafts':
      return `${name} has no Draft & Publish, and ${entries} that are drafts: they would be served as content.`;
    case 'setLocale':
      return `${name} is localized, and ${entries} without a locale: no request would find them.`;
    case 'removeLocales':
      return `${name} is not localized, and ${entries} with a locale: each would be served as a document.`;
    default:
      return kind satisfies never;
  }
}

/** One message for each type whose rows are in a table of another name than `collectionName`. */
export const describeMoves = ({ offers }: Pick<Changes, 'offers'>, command: string): string[] =>
  offers
    .filter(({ name }) => isMove(name))
    .map(
      ({ name, step }) =>
        `${step.reason} Its entries are in the old one. Run \`${command} --rename ${name}\`, or set \`collectionName\` back.`,
    );

/** Whether rows have to be set aside, or are in a table with a former name, and were not migrated:
 *  a person has to decide before they are served. */
export const stopsStart = ({ allowed, destructive, offersLeft }: Pick<Changes, 'allowed' | 'destructive' | 'offersLeft'>): boolean =>
  (!allowed && destructive.some(({ kind }) => kind === 'rows')) || offersLeft.some(({ name }) => isMove(name));

/** The types of these messages. */
export const movedTypes = ({ offers }: Pick<Changes, 'offers'>): ReadonlySet<string> =>
  new Set(offers.filter(({ name }) => isMove(name)).map(({ name }) => name.slice(0, name.indexOf('='))));

/** `api::note.note=api::note.note`: the same type in another table. */
export const isMove = (name: string): boolean => name.slice(0, name.indexOf('=')) === name.slice(name.indexOf('=') + 1);

/** One line for each single type with several documents. */
export const describeSeveralDocuments = (crowded: DatabaseState['severalDocuments']): string[] =>
  crowded.map(
    ({ type, documents }) =>
      `${type.uid} is a single type, and its table has ${documents >= 1000 ? 'at least ' : ''}${documents.toLocaleString('en-US')} documents: the entry with the lowest row id is served.`,
  );

/** The changes that a person has to decide on, in one line. Those of `changedTypes` have lines of
 *  their own (`describeChangedTypes`). */
export function describePending(
  { offers, destructive, changedTypes }: Pick<Changes, 'offers' | 'destructive' | 'changedTypes'>,
  dir: string | undefined,
): string {
  const isDescribed = ({ table, column }: DestructiveStep) => changedTypes.some((each) => each.table === table && each.column === column);
  const types = destructive.filter((step) => step.kind === 'type' && !isDescribed(step));
  const links = destructive.flatMap(({ linksOf }) => linksOf ?? []);
  const parts = [
    ...offers.map(({ name }) => `a rename (${name})`),
    ...types.map(({ table, column }) => `another type for the column "${column}" of "${table}"`),
    ...links.map((attribute) => `another table for the links of ${attribute}, which are not served`),
  ];
  if (parts.length === 0) return '';
  const shown = parts.slice(0, 3).join(', ') + (parts.length > 3 ? ` and ${parts.length - 3} more` : '');
  return `The schema files ask for changes that the start does not make: ${shown}. \`${lecternCommand('migrate plan', dir)}\` shows them.`;
}
