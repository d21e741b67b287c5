/** Writes as text that is short enough to stand in a table of cases. */
import type { BodyEntry, BodyItem, BodyScalar, Position, RelationChange, Target } from '../../../src/pipeline/parse/body/types.ts';
import type { WriteLocale, WriteRequest } from '../../../src/pipeline/parse/types.ts';
import type { PlannedWrite } from '../../../src/pipeline/plan/types.ts';
import { printError } from './read-stages.ts';

export function printWriteRequest({ action, documentId, locale, status, partial, data }: WriteRequest): string {
  const head = [action, ...(documentId === undefined ? [] : [documentId]), ...printLocale(locale), status, ...(partial ? ['partial'] : [])];
  if (data === undefined) return head.join(', ');
  const body = data.kind === 'list' ? [`list ${JSON.stringify(data.value)}`] : printBody(data.entry);
  return [head.join(', '), ...body].join('\n');
}

/** The plan, or what its body is refused for unless the document or a target is missing. */
export function printPlannedWrite({ plan, refusal }: PlannedWrite): string {
  if (refusal !== undefined) return `${printError(refusal)}, unless something is missing`;
  const { action, documentId, newDocumentId, locale, status, partial, body } = plan;
  const id = action === 'create' ? newDocumentId : documentId;
  const head = [action, ...(id === undefined ? [] : [id]), ...printLocale(locale), status, ...(partial ? ['partial'] : [])];
  return [head.join(', '), ...(body === undefined ? [] : printBody(body))].join('\n');
}

function printLocale(locale: WriteLocale): string[] {
  if (locale.kind === 'all') return ['every locale'];
  if (locale.kind === 'several') return [`locales ${locale.codes.join(' ')}`];
  return locale.code === null ? [] : [`locale ${locale.code}`];
}

function printBody({ id, scalars, relations, components }: BodyEntry): string[] {
  return [
    ...(id === undefined ? [] : [`row ${JSON.stringify(id)}`]),
    ...[...scalars].map(([name, value]) => `${name} ${printScalar(value)}`),
    ...[...relations].map(([name, change]) => `${name} ${printChange(change)}`),
    ...[...components].flatMap(([name, { value, items }]) => [
      `${name}${Array.isArray(value) ? ' []' : value === null ? ' null' : ''}`,
      ...items.flatMap(printItem).map((line) => `  ${line}`),
    ]),
  ];
}

function printScalar(read: BodyScalar): string {
  if (read.ok === 'null') return '= null';
  if (read.ok === 'unread') return 'unread';
  if (read.ok) return `= ${typeof read.value === 'bigint' ? `${read.value}n` : JSON.stringify(read.value)}`;
  // The table of `read-body.test.ts` has the messages.
  return 'wrong';
}

function printItem(item: BodyItem): string[] {
  if (item.kind !== 'entry') return [item.kind === 'malformed' ? `malformed ${JSON.stringify(item.value)}` : 'unlisted'];
  return [item.entry.uid, ...printBody(item.entry).map((line) => `  ${line}`)];
}

function printChange(change: RelationChange): string {
  if (change.kind === 'set') {
    if (change.problem !== undefined) return `wrong: ${change.problem}`;
    return `set [${change.targets.map(printTarget).join(', ')}]${change.isNull === true ? ' by null' : ''}`;
  }
  const connect = change.connect.map(
    ({ target, position, hasPosition }) => `${printTarget(target)}${hasPosition ? printPosition(position) : ''}`,
  );
  const parts = [
    ...(connect.length === 0 ? [] : [`connect [${connect.join(', ')}]`]),
    ...(change.disconnect.length === 0 ? [] : [`disconnect [${change.disconnect.map(printTarget).join(', ')}]`]),
    ...(change.strict ? [] : ['not strict']),
  ];
  return parts.length === 0 ? 'unchanged' : parts.join(' ');
}

const printPosition = (position: Position) => ` ${position.at}${'anchor' in position ? ` ${printTarget(position.anchor)}` : ''}`;

function printTarget(target: Target): string {
  switch (target.by) {
    case 'documentId':
      return `${target.type} ${target.documentId}${target.locale === undefined ? '' : ` in ${target.locale}`}`;
    case 'id':
      return `${target.type} row ${target.id}`;
    case 'unreadable':
      return 'unreadable';
  }
}
