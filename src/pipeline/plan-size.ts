import type { Statement } from '../sql/statement.ts';
import type { CompiledLink, CompiledRead, Shape } from './compile/types.ts';

/** Roughly how many characters a compiled read holds: statements, values, and the shapes of all levels. */
export function sizeOf({ rows, count, list, shape }: CompiledRead): number {
  const statements = [rows, count, list?.ids, list?.rowsOfIds].filter((statement) => statement !== undefined);
  return sum(statements, statementSize) + shapeSize(shape);
}

const sum = <T>(items: Iterable<T>, size: (item: T) => number): number => {
  let total = 0;
  for (const item of items) total += size(item);
  return total;
};

const statementSize = ({ text, parameters }: Statement): number =>
  text.length +
  sum(parameters, (parameter) => (parameter.kind === 'value' && typeof parameter.value === 'string' ? parameter.value.length : 8));

const shapeSize = (shape: Shape): number => 50 * shape.columns.length + sum(shape.links, linkSize);

function linkSize(link: CompiledLink): number {
  switch (link.kind) {
    case 'rows':
      return statementSize(link.statement) + shapeSize(link.shape);
    case 'count':
      return statementSize(link.statement);
    case 'polymorphic':
      return (
        statementSize(link.references) + sum(link.branches.values(), ({ statement, shape }) => statementSize(statement) + shapeSize(shape))
      );
  }
}
