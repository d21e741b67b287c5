/** Adds attributes to a schema's text. jsonc-parser's `modify` would reformat the line before. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { AttributeJson } from './attribute-json.ts';

const byteOrderMark = '\ufeff';

/** Adds them at the end, in the text's indentation, and changes nothing else. The text must have an
 *  object of attributes. */
export function addAttributes(text: string, added: Readonly<Record<string, AttributeJson>>): string {
  if (text.startsWith(byteOrderMark)) return byteOrderMark + addAttributes(text.slice(1), added);
  const root = parseTree(text);
  const attributes = root === undefined ? undefined : findNodeAtLocation(root, ['attributes']);
  if (attributes?.type !== 'object') throw new Error('a schema without attributes was loaded');
  return text.includes('\n') ? addLines(text, attributes, added) : addToLine(text, attributes, added);
}

function addToLine(text: string, attributes: Node, added: Readonly<Record<string, AttributeJson>>): string {
  const inner = JSON.stringify(added).slice(1, -1);
  const end = attributes.offset + attributes.length - 1;
  return `${text.slice(0, end)}${attributes.children?.length ? ', ' : ''}${inner}${text.slice(end)}`;
}

function addLines(text: string, attributes: Node, added: Readonly<Record<string, AttributeJson>>): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const [first, last] = [attributes.children?.[0], attributes.children?.at(-1)];
  const outer = indentOf(text, attributes.parent?.offset ?? attributes.offset);
  const inner = first !== undefined && indentOf(text, first.offset) !== outer ? indentOf(text, first.offset) : outer + indent;
  const properties = JSON.stringify(added, null, indent)
    .split('\n')
    .slice(1, -1)
    .map((line) => inner + line.slice(indent.length));
  const lines = properties.join(lineEnd);
  const end = last === undefined ? attributes.offset + 1 : last.offset + last.length;
  const closing = attributes.offset + attributes.length - 1;
  // A brace on the line of the last attribute moves to its own.
  const rest = text.slice(end, closing).includes('\n') ? text.slice(end) : `${lineEnd}${outer}${text.slice(closing)}`;
  return `${text.slice(0, end)}${last === undefined ? '' : ','}${lineEnd}${lines}${rest}`;
}

/** The white space at the beginning of the line of this offset. */
function indentOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
