/** The life of a Tiptap editor in a component. */
import { Editor, Extension } from '@tiptap/core';
import { EditorState } from '@tiptap/pm/state';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../../words/say.ts';
import { DelayedChange } from '../shared/delayed-changes.ts';
import { isSameJson } from '../shared/same-json.ts';
import { clipboard } from './clipboard.ts';
import { marks } from './marks.ts';
import { nodesIn } from './nodes.ts';
import { OpenBlocks } from './open-blocks.ts';
import { shortcuts, typing } from './typing.ts';

export type BlocksValue = readonly unknown[] | null;

export interface BlocksEditorOptions {
  readonly value: BlocksValue;
  readonly change: (value: BlocksValue) => void;
  readonly isReadOnly: boolean;
  /** Of the element with the text. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly askForLink: () => void;
  readonly takeFiles: (files: readonly File[]) => boolean;
}

/** The editor, from when it is there; the component is drawn again after each of its changes. */
export function useBlocksEditor(host: RefObject<HTMLElement>, options: BlocksEditorOptions): Editor | undefined {
  const latest = useRef(options);
  latest.current = options;
  const [editor, setEditor] = useState<BlocksEditor | undefined>(undefined);
  const [, redraw] = useState(0);

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    let frame = 0;
    const made = new BlocksEditor(element, latest, () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => redraw((count) => count + 1));
    });
    setEditor(made);
    return () => {
      cancelAnimationFrame(frame);
      made.close();
    };
  }, []);

  const { value, isReadOnly, attributes } = options;
  useEffect(() => editor?.show(value), [editor, value]);
  useEffect(() => editor?.refresh(), [editor, isReadOnly, ...Object.values(attributes)]);
  return editor?.tiptap;
}

class BlocksEditor {
  readonly tiptap: Editor;
  readonly #latest: { readonly current: BlocksEditorOptions };
  readonly #changed: DelayedChange;
  #open: OpenBlocks;
  /** The value that the form and the editor agree on. */
  #agreed: BlocksValue;

  constructor(element: HTMLElement, latest: { readonly current: BlocksEditorOptions }, redraw: () => void) {
    this.#latest = latest;
    this.#changed = new DelayedChange(() => this.#handOver());
    this.tiptap = new Editor({
      element,
      // Never a text: Tiptap would parse it as HTML, which trusted types forbid.
      content: { type: 'doc', content: [{ type: 'paragraph' }] },
      extensions: [
        ...nodesIn({
          keptBlock: (type) => say('editors.keptBlock', { type }),
          keptInline: (type) => say('editors.keptInline', { type }),
        }),
        ...marks,
        typing,
        clipboard.configure({ takeFiles: (files) => latest.current.takeFiles(files) }),
        Extension.create({
          name: 'askForLink',
          addKeyboardShortcuts: () => ({
            [shortcuts.link]: () => {
              latest.current.askForLink();
              return true;
            },
          }),
        }),
      ],
      injectCSS: false,
      enablePasteRules: false,
      editable: !latest.current.isReadOnly,
      editorProps: { attributes: () => ({ ...latest.current.attributes }) },
      onUpdate: () => this.#changed.later(),
      onBlur: () => this.#changed.flush(),
      onTransaction: redraw,
    });
    this.#agreed = latest.current.value;
    this.#open = this.#put(this.#agreed);
  }

  #put(value: BlocksValue): OpenBlocks {
    const { view } = this.tiptap;
    const open = new OpenBlocks(view.state.schema, value);
    view.updateState(EditorState.create({ doc: open.document, plugins: view.state.plugins }));
    return open;
  }

  #handOver(): void {
    const value = this.#open.read(this.tiptap.state.doc);
    if (value === this.#agreed) return;
    this.#agreed = value;
    this.#latest.current.change(value);
  }

  /** The value of the form. It replaces what is in the editor if it is another one. */
  show(value: BlocksValue): void {
    // What is being typed wins; it is handed over in a moment.
    if (value === this.#agreed || this.#changed.isWaiting) return;
    const isSame = isSameJson(value, this.#agreed);
    this.#agreed = value;
    if (!isSame) this.#open = this.#put(value);
  }

  refresh(): void {
    this.tiptap.setEditable(!this.#latest.current.isReadOnly, false);
  }

  close(): void {
    this.#changed.flush();
    this.tiptap.destroy();
  }
}
