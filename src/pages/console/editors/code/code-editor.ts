/** A CodeMirror editor in a component: its text, and how the form gets to know it. */
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DelayedChange } from '../shared/delayed-changes.ts';
import { adoptStyles } from './adopt-styles.ts';

export interface CodeEditorOptions {
  readonly text: string;
  /** Hands the text over, when somebody has stopped typing. */
  readonly handOver: (text: string) => void;
  readonly delay?: number;
  readonly isReadOnly: boolean;
  readonly extensions: readonly Extension[];
  /** Of the element with the text; names other than `id` and `role` may change. */
  readonly attributes: Readonly<Record<string, string>>;
}

export class CodeEditor {
  readonly view: EditorView;
  readonly #changed: DelayedChange;
  readonly #wiring = new Compartment();
  #wired: string;
  #isPutting = false;

  constructor(parent: HTMLElement, latest: { readonly current: CodeEditorOptions }, redraw: () => void) {
    adoptStyles();
    const { text, delay } = latest.current;
    this.#changed = new DelayedChange(() => latest.current.handOver(this.text), delay);
    this.#wired = wiringKey(latest.current);
    this.view = new EditorView({
      parent,
      doc: text,
      extensions: [
        history(),
        latest.current.extensions,
        // Without `defaultKeymap`, whose shortcuts are those of the page, and without Tab.
        keymap.of([...standardKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        syntaxHighlighting(classHighlighter),
        this.#wiring.of(wiring(latest.current)),
        EditorView.domEventHandlers({ blur: () => this.#changed.flush() }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.#isPutting) this.#changed.later();
          if (update.docChanged || update.selectionSet) redraw();
        }),
      ],
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  get isWaiting(): boolean {
    return this.#changed.isWaiting;
  }

  run(spec: TransactionSpec): void {
    this.view.dispatch(spec);
  }

  /** Replaces the text by one of the form. It is not handed over. */
  put(text: string): void {
    this.#isPutting = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.#isPutting = false;
  }

  wire(options: CodeEditorOptions): void {
    const wired = wiringKey(options);
    if (wired === this.#wired) return;
    this.#wired = wired;
    this.view.dispatch({ effects: this.#wiring.reconfigure(wiring(options)) });
  }

  flush(): void {
    this.#changed.flush();
  }

  close(): void {
    this.#changed.flush();
    this.view.destroy();
  }
}

const wiringKey = ({ isReadOnly, attributes }: CodeEditorOptions): string => JSON.stringify([isReadOnly, attributes]);

const wiring = ({ isReadOnly, attributes }: CodeEditorOptions): Extension => [
  // Read-only, a text can still have the focus and be copied.
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({ ...attributes, 'aria-readonly': String(isReadOnly) }),
];

/** The editor, from when it is there; the component is drawn again after each of its changes. */
export function useCodeEditor(host: RefObject<HTMLElement>, options: CodeEditorOptions): CodeEditor | undefined {
  const latest = useRef(options);
  latest.current = options;
  const [editor, setEditor] = useState<CodeEditor | undefined>(undefined);
  const [, redraw] = useState(0);

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    let frame = 0;
    const made = new CodeEditor(element, latest, () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => redraw((count) => count + 1));
    });
    setEditor(made);
    return () => {
      cancelAnimationFrame(frame);
      made.close();
    };
  }, []);

  useEffect(() => editor?.wire(options));
  return editor;
}
