/** Positions in JSON texts, counted from 1 as editors do. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Finds the position of a key or a list's item; if it is absent, of what contains it. */
export function positionsIn(text: string): (path: readonly (string | number)[]) => Position | undefined {
  const root = parseTree(text);
  const find = (path: readonly (string | number)[]): Node | undefined =>
    root === undefined || path.length === 0 ? root : (findNodeAtLocation(root, [...path]) ?? find(path.slice(0, -1)));
  return (path) => {
    const node = find(path);
    // The parent of a property's value is the property, which begins with its key.
    const start = node?.parent?.type === 'property' ? node.parent : node;
    return start === undefined ? undefined : positionAt(text, start.offset);
  };
}
