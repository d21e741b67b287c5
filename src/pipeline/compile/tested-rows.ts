/** Divides the conditions of a list: the engine finds rows by some of them, and a reader tests the values of these rows by the others. Looking for a text in ten
 *  thousand rows takes the engine milliseconds, most of them to read the rows; a reader that holds their values needs a fraction of that. */
import { columnTypeOf } from '../../dialects/column-type.ts';
import type { HeldComparisons, LetterCase } from '../../dialects/dialect.ts';
import { isText } from '../../dialects/typed-columns.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { Parameter } from '../../sql/statement.ts';
import type { Condition } from '../plan/types.ts';
import type { ConditionCompiler } from './compile-conditions.ts';
import { isCostly } from './costly.ts';
import type { RowTest } from './types.ts';

export interface TestedRows {
  /** What the engine finds rows by. */
  readonly where: Condition;
  /** The values that are tested, of the table `alias`. */
  readonly values: (alias: Sql) => readonly TestedValue[];
  readonly test: RowTest;
  /** All costly conditions are tested. */
  readonly testsCostly: boolean;
  /** Texts are compared for equality. */
  readonly hasEqualTexts: boolean;
}

export interface TestedValue {
  readonly value: Sql;
  readonly isText: boolean;
}

type Compared = Extract<Condition, { kind: 'compare' }>;
type Ranged = Exclude<Extract<RowTest, { kind: 'number' }>['operator'], '='>;

const inverse: Readonly<Record<Ranged, Ranged>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** Undefined if no condition looks for a text in the rows themselves or, where readers test equalities (`HeldComparisons.areTextsExact`), for an equal value; or
 *  if only the engine knows which texts it takes for equal. */
export function testedRows(where: Condition, conditions: ConditionCompiler, held: HeldComparisons): TestedRows | undefined {
  const tests = new RowTests(conditions, held);
  const [left, tested]: [Condition[], Condition[]] = [[], []];
  const operands: RowTest[] = [];
  for (const each of conjuncts(where)) {
    const test = tests.of(each);
    if (test !== undefined) operands.push(test);
    (test === undefined ? left : tested).push(each);
  }
  const has = (kind: (each: RowTest) => boolean) => operands.some((each) => someTest(each, kind));
  const hasEqualTexts = has(({ kind }) => kind === 'equal text');
  const hasEqualNumbers = has((each) => each.kind === 'number' && each.operator === '=');
  if (!tested.some(isCostly) && !hasEqualTexts && !hasEqualNumbers) return undefined;
  // One search through all texts leaves few rows for the other tests.
  operands.sort((one, other) => Number(other.kind === 'text') - Number(one.kind === 'text'));
  return {
    where: { kind: 'and', operands: left },
    values: tests.values,
    test: { kind: 'and', operands },
    testsCostly: !left.some(isCostly),
    hasEqualTexts,
  };
}

const someTest = (test: RowTest, is: (each: RowTest) => boolean): boolean =>
  is(test) || ('operands' in test && test.operands.some((operand) => someTest(operand, is)));

const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' ? condition.operands.flatMap(conjuncts) : [condition];

class RowTests {
  readonly #conditions: ConditionCompiler;
  readonly #held: HeldComparisons;
  readonly #values = new Map<string, (alias: Sql) => TestedValue>();

  constructor(conditions: ConditionCompiler, held: HeldComparisons) {
    this.#conditions = conditions;
    this.#held = held;
  }

  readonly values = (alias: Sql): readonly TestedValue[] => [...this.#values.values()].map((value) => value(alias));

  /** Undefined if the condition is not tested. A null meets neither a comparison nor its negation, and nothing but comparisons is negated, so that a test is
   *  true or false. */
  of(condition: Condition): RowTest | undefined {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const before = this.#values.size;
        const operands = condition.operands.map((operand) => this.of(operand));
        if (operands.length > 0 && operands.every((operand) => operand !== undefined)) return { kind: condition.kind, operands };
        for (const name of [...this.#values.keys()].slice(before)) this.#values.delete(name);
        return undefined;
      }
      case 'search':
        return {
          kind: 'or',
          operands: condition.attributes.map((attribute) =>
            this.#text(attribute, condition.letterCase, {
              value: sql.matches(sql.empty, condition.text, 'anywhere', condition.letterCase),
              negated: false,
            }),
          ),
        };
      case 'compare':
        return this.#comparison(condition);
      default:
        return undefined;
    }
  }

  #comparison({ attribute, comparison, negated }: Compared): RowTest | undefined {
    const type = columnTypeOf(attribute);
    const { numbers } = this.#held;
    const range = (operator: Ranged, value: Sql) => this.#number(attribute, negated ? inverse[operator] : operator, value);
    switch (comparison.operator) {
      case 'text': {
        const { position, letterCase, value } = comparison;
        if (position !== 'anywhere') return undefined;
        const searched = sql.matches(sql.empty, value, position, letterCase);
        return this.#text(attribute, letterCase, { value: searched, negated: comparison.negated !== negated });
      }
      case '=':
        return negated ? undefined : this.#equality(attribute, sql.value(comparison.value, type));
      case '<':
      case '<=':
      case '>':
      case '>=':
        return numbers.has(type) ? range(comparison.operator, sql.value(comparison.value, type)) : undefined;
      case 'between': {
        if (!numbers.has(type)) return undefined;
        const operands = [range('>=', sql.value(comparison.low, type)), range('<=', sql.value(comparison.high, type))];
        return { kind: negated ? 'or' : 'and', operands };
      }
      default:
        return undefined;
    }
  }

  /** Undefined if equalities are left to the engine, or if the column holds neither texts nor exact numbers. */
  #equality(attribute: ScalarAttribute, value: Sql): RowTest | undefined {
    const type = columnTypeOf(attribute);
    const { areTextsExact, numbers } = this.#held;
    if (areTextsExact === undefined || (!isText(type) && !numbers.has(type))) return undefined;
    if (!isText(type)) return this.#number(attribute, '=', value);
    return { kind: 'equal text', index: this.#textIndex(attribute, 'sensitive'), value: this.#parameterOf(value) };
  }

  #text(
    attribute: ScalarAttribute,
    letterCase: LetterCase,
    { value, negated }: { readonly value: Sql; readonly negated: boolean },
  ): RowTest {
    const index = this.#textIndex(attribute, letterCase);
    const folds = this.#held.foldsValues && (letterCase === 'folded' || letterCase === 'nativeFolded');
    return { kind: 'text', index, value: this.#parameterOf(value), folds, negated };
  }

  #textIndex(attribute: ScalarAttribute, letterCase: LetterCase): number {
    return this.#indexOf(`${letterCase} ${attribute.column}`, (alias) => ({
      value: sql.ask((_, column) => this.#held.searched(column, letterCase), this.#conditions.asText(alias, attribute)),
      isText: true,
    }));
  }

  #number(attribute: ScalarAttribute, operator: Extract<RowTest, { kind: 'number' }>['operator'], value: Sql): RowTest {
    const index = this.#indexOf(`number ${attribute.column}`, (alias) => ({
      value: sql.ask((_, column) => this.#held.number(column, columnTypeOf(attribute)), this.#conditions.column(alias, attribute.column)),
      isText: false,
    }));
    return { kind: 'number', index, operator, value: this.#parameterOf(value) };
  }

  #indexOf(name: string, value: (alias: Sql) => TestedValue): number {
    if (!this.#values.has(name)) this.#values.set(name, value);
    return [...this.#values.keys()].indexOf(name);
  }

  /** The value, in the form in which a statement would bind it. */
  #parameterOf(value: Sql): Parameter {
    const [parameter] = statementOf(this.#conditions.dialect, value).parameters;
    if (parameter === undefined) throw new Error('a comparison has no value');
    return parameter;
  }
}
