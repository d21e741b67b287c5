/** Copying and pasting. What was copied in this page is pasted as it was, with keys and blocks that
 *  have no HTML; from elsewhere comes only what the schema reads in HTML. */
import { Extension } from '@tiptap/core';
import { Slice } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { isLinkUrl } from '../shared/links.ts';
import { setLink } from './block-commands.ts';

/** What was copied last from any editor of this page, and the HTML that the browser has of it. */
let copied: { readonly html: string; readonly slice: unknown } | undefined;

function remember(view: EditorView): false {
  const { selection } = view.state;
  if (!selection.empty) {
    const { dom, slice } = view.serializeForClipboard(selection.content());
    copied = { html: dom.innerHTML, slice: slice.toJSON() };
  }
  return false;
}

function paste(view: EditorView, event: ClipboardEvent): boolean {
  const data = event.clipboardData;
  if (data === null || view.state.selection.$from.parent.type.spec.code === true) return false;
  const html = data.getData('text/html');
  if (copied !== undefined && html !== '' && html.includes(copied.html)) {
    const slice = Slice.fromJSON(view.state.schema, copied.slice as Parameters<typeof Slice.fromJSON>[1]);
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
    return true;
  }
  const text = data.getData('text/plain').trim();
  return (
    !view.state.selection.empty &&
    !/\s/.test(text) &&
    /^https?:/.test(text) &&
    isLinkUrl(text) &&
    setLink(text, '')(view.state, view.dispatch)
  );
}

/** Pasted HTML is parsed in a document that is not shown, where the page's policy reports styles and
 *  handlers of events nevertheless. Styles say what is bold, so they become attributes of ours.
 *  What this misses is harmless: only the schema's nodes and marks come out of that document. */
const withoutStyles = (html: string): string =>
  html
    .replaceAll(/<(style|script|title)\b[\s\S]*?<\/\1\s*>|<(?:link|meta|base)\b[^>]*>|<!--[\s\S]*?-->/gi, '')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/([\s"'/])(style|on\w+)(?=\s*=)/gi, '$1data-$2'));

interface ClipboardOptions {
  /** Takes image files; undefined where there is no upload. */
  readonly takeFiles: (files: readonly File[]) => boolean;
}

export const clipboard = Extension.create<ClipboardOptions>({
  name: 'clipboard',
  addOptions: () => ({ takeFiles: () => false }),
  addProseMirrorPlugins() {
    const takeImages = (data: DataTransfer | null) => {
      const images = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
      // Copied from a text editor, a picture of the text is offered as well.
      return images.length > 0 && data?.getData('text/plain') === '' && this.options.takeFiles(images);
    };
    return [
      new Plugin({
        props: {
          transformPastedHTML: withoutStyles,
          handleDOMEvents: { copy: remember, cut: remember },
          handlePaste: (view, event) => takeImages(event.clipboardData) || paste(view, event),
          handleDrop: (_view, event) => takeImages(event.dataTransfer),
        },
      }),
    ];
  },
});
