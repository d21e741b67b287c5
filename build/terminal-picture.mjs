/** A terminal as SVG. */

const columns = 104;
const [size, leading, padding, bar] = [13, 19, 20, 34];
/** The width of a character of the common fonts with fixed widths, for a size of 1. */
const advance = 0.602;

/** `session`: commands, which may have several lines, each with the lines that it prints. Long lines end with `…`. */
export function terminalPicture(session) {
  const rows = session.flatMap(({ command, output }, at) => [
    ...(at === 0 ? [] : [{ kind: 'output', text: '' }]),
    ...command.split('\n').map((text, at) => ({ kind: 'command', text: `${at === 0 ? '$ ' : ''}${text}` })),
    ...output.map((text) => ({ kind: 'output', text })),
  ]);
  const width = Math.ceil(columns * size * advance) + 2 * padding;
  const height = bar + rows.length * leading + padding;
  const text = rows.map(
    ({ kind, text }, at) => `<text class="${kind}" x="${padding}" y="${bar + (at + 0.75) * leading}">${escaped(cut(text))}</text>`,
  );
  const buttons = [0, 1, 2].map((at) => `<circle cx="${padding + at * 18}" cy="${bar / 2}" r="5"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal">
<style>
text{font:${size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}
.command{fill:#e8eaee;font-weight:600}
.output{fill:#9aa5b4}
circle{fill:#2c333e}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#14171c"/>
${buttons.join('')}
${text.join('\n')}
</svg>
`;
}

const cut = (text) => (text.length > columns ? `${text.slice(0, columns - 1)}…` : text);
const escaped = (text) => text.replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
