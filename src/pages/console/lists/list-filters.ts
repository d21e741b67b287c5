/** Conditions as filters of the API (docs/query.md, "filters"). */
import type { DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { type Condition, type Filterable, filterablesOf, type Operator } from './conditions.ts';

type Filter = Readonly<Record<string, unknown>>;

/** All of them have to be true. Undefined without any; `now` is for the last days. */
export function filtersOf(type: DescribedType, conditions: readonly Condition[], now: Date): Filter | undefined {
  const filterables = new Map(filterablesOf(type).map((each) => [each.name, each]));
  const filters = conditions.flatMap((condition) => {
    const filterable = filterables.get(condition.attribute);
    return filterable === undefined || filterable.kind === 'status' ? [] : [filterOf(condition, filterable, now)];
  });
  return filters.length === 0 ? undefined : { $and: filters };
}

function filterOf({ attribute, operator, values }: Condition, { kind }: Filterable, now: Date): Filter {
  const [first = '', second = ''] = values;
  const on = (comparison: unknown): Filter => ({ [attribute]: comparison });
  switch (kind) {
    case 'relation':
      return on({ documentId: operator === 'anyOf' ? { $in: values } : emptiness(operator) });
    case 'media':
      return on({ id: emptiness(operator) });
    case 'text':
      return textFilter(on, operator, first);
    case 'date':
    case 'datetime': {
      const range = daysOf(operator, first, second, now);
      return on(range === undefined ? emptiness(operator) : kind === 'date' ? dayBounds(range) : instantBounds(range));
    }
    default:
      return on(comparisonOf(operator, values));
  }
}

const emptiness = (operator: Operator) => (operator === 'isEmpty' ? { $null: true } : { $notNull: true });

function comparisonOf(operator: Operator, values: readonly string[]): unknown {
  const [first] = values;
  switch (operator) {
    case 'over':
    case 'after':
      return { $gt: first };
    case 'under':
    case 'before':
      return { $lt: first };
    case 'between':
      return { $between: values };
    case 'yes':
      return { $eq: true };
    case 'no':
      return { $eq: false };
    case 'anyOf':
      return { $in: values };
    case 'isEmpty':
    case 'isNotEmpty':
      return emptiness(operator);
    default:
      return { $eq: first };
  }
}

const textOperators: Readonly<Partial<Record<Operator, string>>> = {
  contains: '$containsi',
  startsWith: '$startsWithi',
  endsWith: '$endsWithi',
};

/** An empty text is as empty as none, and without a text nothing is contained. */
function textFilter(on: (comparison: unknown) => Filter, operator: Operator, text: string): Filter {
  switch (operator) {
    case 'isEmpty':
      return { $or: [on({ $null: true }), on({ $eq: '' })] };
    case 'isNotEmpty':
      return on({ $notNull: true, $ne: '' });
    case 'isNot':
      return { $or: [on({ $nei: text }), on({ $null: true })] };
    case 'notContains':
      return { $or: [on({ $notContainsi: text }), on({ $null: true })] };
    default:
      return on({ [textOperators[operator] ?? '$eqi']: text });
  }
}

/** Days, `2024-06-01`: from the first one on, and before the other one. */
interface Days {
  readonly from?: string;
  readonly until?: string;
}

function daysOf(operator: Operator, first: string, second: string, now: Date): Days | undefined {
  switch (operator) {
    case 'on':
      return { from: first, until: dayAfter(first, 1) };
    case 'before':
      return { until: first };
    case 'after':
      return { from: dayAfter(first, 1) };
    case 'between':
      return { from: first, until: dayAfter(second, 1) };
    case 'lastDays': {
      const today = dayOf(now);
      return { from: dayAfter(today, 1 - Number(first)), until: dayAfter(today, 1) };
    }
    default:
      return undefined;
  }
}

const two = (number: number) => String(number).padStart(2, '0');

/** In the time zone of the browser, as people mean it. */
const dayOf = (date: Date): string => `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

function dayAfter(day: string, days: number): string {
  const date = startOf(day);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00`);

const dayBounds = ({ from, until }: Days) => ({
  ...(from === undefined ? {} : { $gte: from }),
  ...(until === undefined ? {} : { $lt: until }),
});

const instantBounds = ({ from, until }: Days) => ({
  ...(from === undefined ? {} : { $gte: startOf(from).toISOString() }),
  ...(until === undefined ? {} : { $lt: startOf(until).toISOString() }),
});
