import { describe, expect, it } from 'vitest';
import { withoutCycles } from './without-cycles.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const to = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, ref(name)])) });

/** The references that are left, as `A>B`. */
function left(schemas: object): string[] {
  const cut = withoutCycles({ components: { schemas } }).components.schemas as Record<string, { properties: Record<string, object> }>;
  return Object.entries(cut).flatMap(([name, { properties }]) =>
    Object.entries(properties).flatMap(([target, value]) => ('$ref' in value ? [`${name}>${target}`] : [])),
  );
}

describe('withoutCycles', () => {
  it.each([
    ['keeps a chain', { A: to('B'), B: to('C'), C: to() }, ['A>B', 'B>C']],
    ['keeps two ways to the same schema', { A: to('B', 'C'), B: to('C'), C: to() }, ['A>B', 'A>C', 'B>C']],
    ['cuts a schema that refers to itself', { A: to('A', 'B'), B: to() }, ['A>B']],
    ['cuts two that refer to each other', { A: to('B', 'C'), B: to('A'), C: to() }, ['A>C']],
    [
      'cuts a circle, and not what leads to it or away from it',
      { S: to('A'), A: to('B'), B: to('C'), C: to('A', 'E'), E: to() },
      ['S>A', 'C>E'],
    ],
    ['leaves references to schemas that are not there', { A: to('Z') }, ['A>Z']],
  ])('%s', (_, schemas, expected) => expect(left(schemas)).toEqual(expected));

  it('takes a chain of any length', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `N${index}`);
    const circle = Object.fromEntries(names.map((name, index) => [name, to(names[(index + 1) % names.length] ?? '')]));
    expect(left(circle)).toEqual([]);
  });

  it('names the schema in place of the reference', () => {
    const { components } = withoutCycles({ components: { schemas: { A: { items: ref('A') } } } });
    expect(components.schemas.A.items).toEqual({ type: 'object', description: 'As the schema A.' });
  });
});
