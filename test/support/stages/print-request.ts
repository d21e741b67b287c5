/** Prints the results of the first three stages of a read, short enough for a table of cases. A value that a plain GET has as well is left out. */
import type { PermittedRead } from '../../../src/pipeline/authorise/types.ts';
import type {
  Comparand,
  Comparison,
  Filter,
  Pagination,
  Population,
  ReadRequest,
  Selection,
  SortTerm,
} from '../../../src/pipeline/parse/types.ts';
import type { Condition, Node, Order, PlannedComparison, PlannedLink, ReadPlan } from '../../../src/pipeline/plan/types.ts';
import { PlanParameter } from '../../../src/sql/plan-parameter.ts';

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

export function printRequest(request: ReadRequest): string {
  const { status, publicationFilter, search, selection } = request;
  const lines = [
    ...(status === 'draft' ? ['drafts'] : []),
    ...printLocale(request.locale),
    ...(request.fallback === undefined ? [] : [`first of [${request.fallback.join(', ')}]`]),
    ...(publicationFilter === undefined ? [] : [`publication filter ${publicationFilter}`]),
    ...(search === undefined ? [] : [`search ${value(search.text)}`]),
    ...printPagination(request.pagination),
    ...printSelection(selection),
  ];
  return lines.length === 0 ? 'as by default' : lines.join('\n');
}

/** A request with the rows that the caller may see of the types it reaches. */
export function printPermitted(request: PermittedRead): string {
  const restricted = reached(request.selection).map(({ schema }) => schema);
  const scopes = [...new Set(restricted)].flatMap((schema) => {
    const filter = request.scopeOf(schema);
    return filter === undefined ? [] : [`rows of ${schema.uid}: ${printFilter(filter)}`];
  });
  return [
    ...(request.scope === undefined ? [] : [`rows: ${printFilter(request.scope)}`]),
    ...scopes,
    ...(request.searchable === undefined ? [] : [`searchable: ${[...request.searchable].join(', ')}`]),
    printRequest(request),
  ].join('\n');
}

const reached = (selection: Selection): Selection[] =>
  selection.populate.flatMap((population) => {
    const next = population.kind === 'polymorphic' ? [...population.branches.values()] : [population.selection];
    return next.flatMap((each) => [each, ...reached(each)]);
  });

function printLocale(locale: ReadRequest['locale']): string[] {
  if (locale.kind !== 'codes') return locale.kind === 'any' ? ['locale any'] : [];
  return locale.codes.join() === 'en' ? [] : [`locale ${locale.codes.join(', ') || 'none'}`];
}

function printPagination(pagination: Pagination): string[] {
  if (pagination.kind === 'none' || pagination.kind === 'groups' || pagination.kind === 'cursor') return [];
  const { offset, limit, withCount } = pagination;
  if (pagination.kind === 'page' && offset === 0 && limit === 25 && withCount) return [];
  const named = pagination.kind === 'page' ? `page ${pagination.page} of ${pagination.pageSize}` : `start ${pagination.start}`;
  return [`${named}, offset ${offset}, limit ${limit}${withCount ? '' : ', not counted'}`];
}

function printSelection({ fields, filter, sort, populate }: Selection): string[] {
  return [
    ...(fields === undefined ? [] : [`fields ${fields.map(({ name }) => name).join(', ')}`]),
    ...(filter === undefined ? [] : [`where ${printFilter(filter)}`]),
    ...(sort.length === 0 ? [] : [`sort ${sort.map(printSort).join(', ')}`]),
    ...populate.flatMap(printPopulation),
  ];
}

const printSort = (term: SortTerm): string =>
  term.kind === 'rank'
    ? `rank ${term.direction}`
    : `${[...term.hops.map((hop) => hop.attribute.name), term.attribute.name].join('.')} ${term.direction}`;

function printPopulation(population: Population): string[] {
  const head = `+ ${population.attribute.name}${population.count ? ' (count)' : ''}`;
  if (population.kind !== 'polymorphic') return [head, ...indented(printSelection(population.selection))];
  const branches = [...population.branches].flatMap(([uid, selection]) => [
    `on ${uid}${population.scoped.has(uid) ? ' (of the status)' : ''}`,
    ...indented(printSelection(selection)),
  ]);
  return [`${head}${population.zone === undefined ? '' : ` (zone ${population.zone})`}`, ...indented(branches)];
}

export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return group(filter.kind, filter.operands.map(printFilter));
    case 'not':
      return `not(${printFilter(filter.operand)})`;
    case 'hop':
      return `${filter.hop.attribute.name}{${printFilter(filter.filter)}}`;
    case 'quantified':
      return `${filter.quantifier} ${filter.hop.attribute.name}{${printFilter(filter.filter)}}`;
    case 'comparison':
      return printComparison(filter.attribute.name, filter.comparison);
  }
}

const group = (word: string, operands: readonly string[]) => `(${operands.length < 2 ? `${word} ` : ''}${operands.join(` ${word} `)})`;

const value = (comparand: Comparand | PlanParameter<string>): string => {
  const known = comparand instanceof PlanParameter ? comparand.value : comparand;
  return typeof known === 'bigint' ? `${known}n` : JSON.stringify(known);
};

function printComparison(name: string, comparison: Comparison | PlannedComparison): string {
  switch (comparison.operator) {
    case 'in':
    case 'not in':
      return `${name} ${comparison.operator} [${comparison.values.map(value).join(', ')}]`;
    case 'between':
      return `${name} between ${value(comparison.low)} and ${value(comparison.high)}`;
    case 'null':
    case 'not null':
    case 'never':
    case 'unknown':
      return `${name} is ${comparison.operator}`;
    case 'text': {
      const letters = 'letterCase' in comparison ? comparison.letterCase : comparison.ignoreCase ? 'ignoring case' : 'exact';
      return `${name} ${comparison.negated ? 'without' : 'with'} ${value(comparison.value)} ${comparison.position} (${letters})`;
    }
    default:
      return `${name} ${comparison.operator} ${value(comparison.value)}`;
  }
}

export const printPlan = ({ root, pagination }: ReadPlan): string => [...printPagination(pagination), ...printNode(root)].join('\n');

function printNode({ schema, columns, where, order, links, linked }: Node): string[] {
  const conditions = where.kind === 'and' ? where.operands : [where];
  return [
    `${schema.uid}: ${columns.map(({ name }) => name).join(', ')}`,
    ...indented([
      ...(linked === undefined ? [] : [`linked${linked.sameStatus ? ' in the same status' : ''}${printScope(linked.where)}`]),
      ...conditions.map((condition) => `where ${printCondition(condition)}`),
      ...(order.length === 0 ? [] : [`order ${order.map(printOrder).join(', ')}`]),
      ...links.flatMap(printLink),
    ]),
  ];
}

function printLink(link: PlannedLink): string[] {
  const head = `+ ${link.attribute.name}`;
  if (link.kind !== 'polymorphic') return [`${head}${link.kind === 'count' ? ' (count)' : ''}`, ...indented(printNode(link.node))];
  const zone = link.zone === undefined ? '' : ` (zone ${link.zone})`;
  return [`${head}${link.count ? ' (count)' : ''}${zone}`, ...indented([...link.branches.values()].flatMap(printNode))];
}

function printOrder(order: Order): string {
  if (order.kind === 'rank') return `rank ${order.direction}`;
  if (order.kind === 'shared') return 'shared links';
  const { path, attribute, direction } = order;
  const steps = path.map((step) => `${step.attribute.name}${printScope(step.scope)}`);
  return `${[...steps, attribute.name].join('.')} ${direction}`;
}

const printScope = (scope: Condition | undefined) => (scope === undefined ? '' : `[${printCondition(scope)}]`);

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return group(condition.kind, condition.operands.map(printCondition));
    case 'compare': {
      const text = printComparison(condition.attribute.name, condition.comparison);
      return condition.negated ? `not ${text}` : text;
    }
    case 'related':
      return `shares links of ${condition.via.map(({ attribute }) => attribute.name).join(', ')}`;
    case 'exists':
      return `${condition.attribute.name}${printScope(condition.scope)}{${printCondition(condition.where)}}${condition.orNone ? ' or none' : ''}`;
    case 'status':
      return condition.status;
    case 'locales':
      return `locale in [${condition.codes.join(', ')}]`;
    case 'fallback':
      return `first of [${condition.chain.join(', ')}]${condition.sameStatus ? ' of the same status' : ''}${printScope(condition.scope)}`;
    case 'publication':
      return `${condition.filter} of ${condition.status}${printScope(condition.scope)}`;
    case 'fullText':
      return `${condition.columns.map(({ attribute }) => attribute).join('|')} has ${JSON.stringify(condition.terms)}`;
    case 'search':
      return `${condition.attributes.map(({ name }) => name).join('|')} with ${value(condition.text)} (${condition.letterCase})`;
  }
}
