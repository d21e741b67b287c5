/** Removes the white space at the beginning of lines, which is a twentieth of the packed bundles. Lines stay lines, for stack traces. */
import { Parser } from 'acorn';

/** Returns the code, and how many characters each of its lines has lost. */
export function withoutIndentation(code) {
  const kept = linesOfTemplates(code);
  const removed = [];
  const lines = code.split('\n').map((line, number) => {
    const text = kept.has(number) ? line : line.trimStart();
    removed.push(line.length - text.length);
    return text;
  });
  return { code: lines.join('\n'), removed };
}

/** The lines, from 0, that begin inside the text of a template: nothing else in code without comments goes on over the end of a line. */
function linesOfTemplates(code) {
  const lines = new Set();
  Parser.parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onToken({ type, loc }) {
      if (type.label === 'template') for (let line = loc.start.line + 1; line <= loc.end.line; line++) lines.add(line - 1);
    },
  });
  return lines;
}
