/** Plans the steps that migrate rows to the options of their types. */

import { literal } from '../../dialects/quote.ts';
import type { ContentModel, Uid } from '../../model/content-model.ts';
import { counted } from '../../text/counted.ts';
import type { PlannedDatabase } from '../planned-database.ts';
import type { TypeOptions } from '../recorded/recorded-schema.ts';
import { type DestructiveStep, type RowWork, remark, type Step } from '../steps.ts';
import { hasTwin, isForeign, type RowChange } from './row-changes.ts';
import { tablesAround } from './set-rows-aside.ts';

/** Strapi's own records, and whether it migrates rows itself. */
interface RowsOfStrapi {
  /** Whether Strapi created the database, in which case it migrates rows itself. */
  readonly madeByStrapi: boolean;
  /** The options of the content types when Strapi started last. */
  readonly options: ReadonlyMap<Uid, TypeOptions>;
}

/** `additions` are steps that remove nothing. */
export function rowSteps(
  changes: readonly RowChange[],
  model: ContentModel,
  planned: PlannedDatabase,
  strapi: RowsOfStrapi,
): { readonly additions: readonly Step[]; readonly destructive: readonly DestructiveStep[] } {
  const isStrapis = strapi.madeByStrapi;
  const additions: Step[] = [];
  const destructive: DestructiveStep[] = [];
  // All drafts are created in one step, because drafts of one type link to those of another.
  const withoutDrafts = changes.filter(({ kind }) => kind === 'makeDrafts');
  for (const change of changes) {
    if (change.kind === 'removeDrafts') destructive.push(removeDrafts(change, model, planned, isStrapis));
    if (change.kind === 'removeLocales' && change.lost > 0) destructive.push(removeLocales(change, model, planned, isStrapis));
    if (change.kind === 'removeLocales' && change.lost < change.rows) additions.push(unsetLocale(change));
    if (change.kind === 'setLocale' && change.lost > 0) destructive.push(removeTwins(change, model, planned));
    if (change.kind === 'setLocale' && change.lost < change.rows) additions.push(setLocale(change));
  }
  for (const [index, change] of withoutDrafts.entries()) {
    const { uid } = change.type;
    additions.push({
      reason: `Draft & Publish is on for ${uid} now: ${counted(change.rows, 'published entry', 'published entries')} without a draft ${change.rows === 1 ? 'gets' : 'get'} one.`,
      work: [
        {
          summary: `copies ${counted(change.rows, 'row')} of "${change.type.table}" as drafts, with components, relations and media`,
          kind: 'makeDrafts',
          types: index === 0 ? withoutDrafts.map(({ type }) => type.uid) : [],
        },
        ...(strapi.options.get(uid)?.draftAndPublish === false ? [tellStrapi(uid)] : []),
      ],
    });
  }
  return { additions, destructive };
}

const tellStrapi = (uid: Uid): RowWork => ({
  summary: `records in Strapi's settings that Draft & Publish is on for ${uid}: its next start would make all drafts again`,
  kind: 'noteDraftAndPublish',
  type: uid,
});

function removeDrafts(change: RowChange, model: ContentModel, planned: PlannedDatabase, isStrapis: boolean): DestructiveStep {
  const { type, rows, lost } = change;
  const never = lost === 0 ? '' : `, and ${counted(lost, 'of them was', 'of them were')} never published`;
  return aside(change, model, planned, {
    which: 'r.published_at IS NULL',
    relink: true,
    what: `${counted(rows, 'draft')} of ${type.uid}`,
    reason: (keptAs) =>
      `Draft & Publish is off for ${type.uid} now: ${counted(rows, 'draft moves', 'drafts move')} to "${keptAs}"${never}.`,
    ...remark(isStrapis, 'Strapi deletes them at its next start.'),
  });
}

function removeLocales(change: RowChange, model: ContentModel, planned: PlannedDatabase, isStrapis: boolean): DestructiveStep {
  const { type, lost, documents, defaultLocale } = change;
  const alone = documents === 0 ? '' : `; ${counted(documents, 'document has', 'documents have')} no other`;
  return aside(change, model, planned, {
    which: isForeign(defaultLocale),
    relink: false,
    what: `${counted(lost, 'entry', 'entries')} of ${type.uid} in other locales than "${defaultLocale}"`,
    reason: (keptAs) =>
      `${type.uid} is not localized any more: ${counted(lost, 'entry', 'entries')} in other locales than "${defaultLocale}" ${lost === 1 ? 'moves' : 'move'} to "${keptAs}"${alone}.`,
    ...remark(isStrapis, 'Strapi deletes them at its next start.'),
  });
}

function removeTwins(change: RowChange, model: ContentModel, planned: PlannedDatabase): DestructiveStep {
  const { type, lost, defaultLocale } = change;
  return aside(change, model, planned, {
    which: `r.locale IS NULL AND ${hasTwin(type, defaultLocale, planned.dialect)}`,
    relink: false,
    what: `${counted(lost, 'entry', 'entries')} of ${type.uid} without a locale`,
    reason: (keptAs) =>
      `${type.uid} is localized: ${counted(lost, 'entry', 'entries')} without a locale ${lost === 1 ? 'moves' : 'move'} to "${keptAs}", as ${lost === 1 ? 'its document has' : 'their documents have'} one in "${defaultLocale}" already.`,
  });
}

const setLocale = ({ type, rows, lost, defaultLocale }: RowChange): Step => ({
  reason: `${type.uid} is localized now: ${counted(rows - lost, 'entry', 'entries')} without a locale ${rows - lost === 1 ? 'becomes an entry' : 'become entries'} in "${defaultLocale}", the default locale.`,
  work: [
    {
      summary: `sets the locale of ${counted(rows - lost, 'row')} of "${type.table}" to "${defaultLocale}"`,
      kind: 'setLocale',
      type: type.uid,
      locale: defaultLocale,
    },
  ],
});

const unsetLocale = ({ type, rows, lost, defaultLocale }: RowChange): Step => ({
  reason: `${type.uid} is not localized any more: ${counted(rows - lost, 'entry', 'entries')} in "${defaultLocale}" ${rows - lost === 1 ? 'has' : 'have'} no locale from now on.`,
  work: [`UPDATE ${JSON.stringify(type.table)} SET locale = NULL WHERE locale = ${literal(defaultLocale)}`],
});

interface Aside {
  readonly which: string;
  readonly relink: boolean;
  readonly what: string;
  reason(keptAs: string): string;
  readonly remark?: string;
}

function aside(
  { type }: RowChange,
  model: ContentModel,
  planned: PlannedDatabase,
  { which, relink, what, reason, ...rest }: Aside,
): DestructiveStep {
  const tables = [type.table, ...tablesAround(model, type, planned.dialect).map(({ table }) => table)];
  const keptAs = new Map(tables.map((table) => [table, planned.reserveName(table)]));
  const name = keptAs.get(type.table) ?? '';
  const work: RowWork = {
    summary: `moves ${what}, with what leads from and to them, to "${name}" and the like`,
    kind: 'setRowsAside',
    type: type.uid,
    which,
    keptAs: [...keptAs],
    relink,
  };
  return { kind: 'rows', table: type.table, keptAs: name, what, reason: reason(name), work: [work], ...rest };
}
