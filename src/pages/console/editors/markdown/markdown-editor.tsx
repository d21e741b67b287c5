/** The editor of a richtext attribute: Markdown with a preview. */
import { deleteMarkupBackward, insertNewlineContinueMarkupCommand, markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, Prec, type TransactionSpec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FieldProps } from '../../fields/field-props.ts';
import type { MediaFile } from '../../media/media-file.ts';
import { type CodeEditor, useCodeEditor } from '../code/code-editor.ts';
import { editorAria } from '../shared/editor-aria.ts';
import { LinkDialog } from '../shared/link-dialog.tsx';
import { isLinkUrl, typedReference } from '../shared/links.ts';
import { isOwnPicture } from '../shared/safe-url.ts';
import { useLabel } from '../shared/use-label.ts';
import { useUploads } from '../shared/use-uploads.tsx';
import { directionOfLines } from './direction-of-lines.ts';
import { insertFile, insertLink, toggleMarker, withBreaksOf } from './markdown-changes.ts';
import { MarkdownToolbar, shortcuts } from './markdown-toolbar.tsx';
import { maxPreviewLength, Preview } from './preview.tsx';

export interface MarkdownEditorProps extends FieldProps<string | null> {
  /** Opens the media library; undefined where the user may not use it. */
  readonly pickFile?: (() => Promise<MediaFile | undefined>) | undefined;
  /** For images that are pasted or dropped. */
  readonly uploadFile?: ((file: File) => Promise<MediaFile | undefined>) | undefined;
  /** Where else than at the page's own origin the preview may load images from. */
  readonly pictureOrigins?: readonly string[] | undefined;
}

const none: readonly string[] = [];

export default function MarkdownEditor(props: MarkdownEditorProps) {
  const { value, change, id, isInvalid, isReadOnly, pickFile, uploadFile, pictureOrigins = none } = props;
  const host = useRef<HTMLDivElement>(null);
  const [isLinking, setLinking] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  /** Counts what the preview is to show: not each keystroke. */
  const [version, setVersion] = useState(0);
  /** The value that the form and the editor agree on, and the last one that came from the form. */
  const agreed = useRef({ value: value ?? null, given: value ?? null });

  const run = (make: (state: EditorState) => TransactionSpec) => {
    if (editor !== undefined && !isReadOnly) editor.run(make(editor.view.state));
  };
  const insert = (file: MediaFile) => run((state) => insertFile(state, file));
  const uploads = useUploads(isReadOnly ? undefined : uploadFile, insert);
  const actions = useRef({ askForLink: () => {}, take: uploads.take });
  actions.current = { askForLink: () => setLinking(true), take: uploads.take };
  const extensions = useMemo(() => markdownExtensions(actions), []);
  const editor = useCodeEditor(host, {
    text: value ?? '',
    handOver: (text) => {
      setVersion((count) => count + 1);
      const { given } = agreed.current;
      const next = markdownValue(text, given);
      if (next === agreed.current.value) return;
      agreed.current.value = next;
      change(next);
    },
    isReadOnly,
    extensions,
    attributes: {
      ...editorAria(props),
      dir: 'auto',
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
      writingsuggestions: 'true',
    },
  });
  useEffect(() => {
    const next = value ?? null;
    if (editor === undefined || next === agreed.current.value || editor.isWaiting) return;
    agreed.current = { value: next, given: next };
    editor.put(next ?? '');
    setVersion((count) => count + 1);
  }, [editor, value]);

  const isOwn = useMemo(() => (url: string) => isOwnPicture(url, document.baseURI, pictureOrigins), [pictureOrigins]);
  // Once the dialog is gone: as long as it is there, nothing else can have the focus.
  const focusSoon = () => requestAnimationFrame(() => editor?.view.focus());
  useLabel(id, () => editor?.view.focus());
  const closeLink = () => {
    setLinking(false);
    focusSoon();
  };
  const addFile = async () => {
    const file = await pickFile?.();
    if (file !== undefined) insert(file);
    focusSoon();
  };
  return (
    <div class="editor" data-invalid={isInvalid}>
      {editor !== undefined && (
        <MarkdownToolbar
          id={id}
          isReadOnly={isReadOnly}
          run={(make, byPointer) => {
            run(make);
            if (byPointer) editor.view.focus();
          }}
          askForLink={() => setLinking(true)}
          addFile={pickFile === undefined ? undefined : () => void addFile()}
          isPreviewed={isPreviewed}
          togglePreview={() => setPreviewed(!isPreviewed)}
        />
      )}
      <div class={isPreviewed ? 'markdown-both' : 'markdown-alone'}>
        <div ref={host} class="code-host markdown-text" />
        {editor !== undefined && isPreviewed && <EditorPreview editor={editor} version={version} isOwnPicture={isOwn} />}
      </div>
      {uploads.status}
      {editor !== undefined && isLinking && (
        <LinkDialog
          url=""
          text={editor.view.state.selection.main.empty ? '' : undefined}
          read={typedReference}
          done={({ url, text }) => {
            run((state) => insertLink(state, url, text));
            closeLink();
          }}
          remove={undefined}
          close={closeLink}
        />
      )}
    </div>
  );
}

interface EditorPreviewProps {
  readonly editor: CodeEditor;
  readonly version: number;
  readonly isOwnPicture: (url: string) => boolean;
}

/** How long the preview may parse what the editor has not parsed yet, in milliseconds. */
const maxParsing = 100;

function EditorPreview({ editor, version, isOwnPicture }: EditorPreviewProps) {
  const shown = useMemo(() => {
    const { state } = editor.view;
    const tree = ensureSyntaxTree(state, Math.min(state.doc.length, maxPreviewLength), maxParsing) ?? syntaxTree(state);
    return { tree, text: editor.text };
  }, [editor, version]);
  return <Preview {...shown} isOwnPicture={isOwnPicture} />;
}

/** Nothing is null, unless the form has an empty text. */
function markdownValue(text: string, given: string | null): string | null {
  if (text === '') return given === '' ? '' : null;
  return withBreaksOf(text, given ?? '');
}

interface Actions {
  readonly askForLink: () => void;
  readonly take: (files: readonly File[]) => boolean;
}

function markdownExtensions(actions: { readonly current: Actions }): readonly Extension[] {
  const marker = (key: string, text: string) => ({
    key,
    run: (view: EditorView) => {
      view.dispatch(toggleMarker(view.state, text));
      return true;
    },
  });
  const takeImages = (data: DataTransfer | null) => {
    const images = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
    return images.length > 0 && data?.getData('text/plain') === '' && actions.current.take(images);
  };
  return [
    markdownLanguage,
    directionOfLines,
    Prec.high(
      keymap.of([
        // Enter in an empty item ends the list.
        { key: 'Enter', run: insertNewlineContinueMarkupCommand({ nonTightLists: false }) },
        { key: 'Backspace', run: deleteMarkupBackward },
        marker(shortcuts.bold, '**'),
        marker(shortcuts.italic, '*'),
        marker(shortcuts.code, '`'),
        {
          key: shortcuts.link,
          run: () => {
            actions.current.askForLink();
            return true;
          },
        },
      ]),
    ),
    EditorView.domEventHandlers({
      paste: (event, view) => takeImages(event.clipboardData) || pasteLink(event, view),
      drop: (event) => {
        const isTaken = takeImages(event.dataTransfer);
        if (isTaken) event.preventDefault();
        return isTaken;
      },
    }),
  ];
}

/** A URL that is pasted over a text becomes its link. */
function pasteLink(event: ClipboardEvent, view: EditorView): boolean {
  const { state } = view;
  const text = event.clipboardData?.getData('text/plain').trim() ?? '';
  const { main } = state.selection;
  if (main.empty || state.readOnly || !/^https?:\S+$/.test(text) || !isLinkUrl(text)) return false;
  if (/^https?:|\n/.test(state.sliceDoc(main.from, main.to))) return false;
  view.dispatch(insertLink(state, text));
  return true;
}
