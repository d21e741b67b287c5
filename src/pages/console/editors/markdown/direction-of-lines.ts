import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const automatic = Decoration.line({ attributes: { dir: 'auto' } });

function visibleLines({ visibleRanges, state }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let position = from; position <= to; ) {
      const line = state.doc.lineAt(position);
      lines.add(line.from, line.from, automatic);
      position = line.to + 1;
    }
  }
  return lines.finish();
}

/** Each line runs from left to right or from right to left, as its own text does. */
export const directionOfLines: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = visibleLines(view);
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate) {
        if (docChanged || viewportChanged) this.decorations = visibleLines(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];
