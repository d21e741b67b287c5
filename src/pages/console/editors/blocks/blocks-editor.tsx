/** The editor of a blocks attribute. */
import { useRef, useState } from 'preact/hooks';
import type { FieldProps } from '../../fields/field-props.ts';
import type { MediaFile } from '../../media/media-file.ts';
import { editorAria } from '../shared/editor-aria.ts';
import { LinkDialog } from '../shared/link-dialog.tsx';
import { typedUrl } from '../shared/links.ts';
import { useLabel } from '../shared/use-label.ts';
import { useUploads } from '../shared/use-uploads.tsx';
import { insertImage, linkAt, removeLink, setLink } from './block-commands.ts';
import { BlocksToolbar } from './blocks-toolbar.tsx';
import { type BlocksValue, useBlocksEditor } from './use-blocks-editor.ts';

export interface BlocksEditorProps extends FieldProps<BlocksValue> {
  /** Opens the media library; undefined where the user may not use it. */
  readonly pickImage?: (() => Promise<MediaFile | undefined>) | undefined;
  /** For images that are pasted or dropped. */
  readonly uploadFile?: ((file: File) => Promise<MediaFile | undefined>) | undefined;
}

export default function BlocksEditor(props: BlocksEditorProps) {
  const { value, change, id, isInvalid, isReadOnly, pickImage, uploadFile } = props;
  const host = useRef<HTMLDivElement>(null);
  const [isLinking, setLinking] = useState(false);
  const insert = (file: MediaFile) => {
    if (editor !== undefined) insertImage(file)(editor.state, editor.view.dispatch);
  };
  const uploads = useUploads(uploadFile, insert);
  const editor = useBlocksEditor(host, {
    value,
    change,
    isReadOnly,
    askForLink: () => setLinking(true),
    takeFiles: uploads.take,
    attributes: {
      ...editorAria(props),
      class: 'blocks-text',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-readonly': String(isReadOnly),
    },
  });
  // Once the dialog is gone: as long as it is there, nothing else can have the focus.
  const focusSoon = () => requestAnimationFrame(() => editor?.view.focus());
  useLabel(id, () => editor?.view.focus());
  const closeLink = () => {
    setLinking(false);
    focusSoon();
  };
  const addImage = async () => {
    const file = await pickImage?.();
    if (file !== undefined) insert(file);
    focusSoon();
  };
  const link = editor === undefined ? undefined : linkAt(editor.state);
  return (
    <div class="editor" data-invalid={isInvalid}>
      {editor !== undefined && !isReadOnly && (
        <BlocksToolbar
          editor={editor}
          id={id}
          askForLink={() => setLinking(true)}
          addImage={pickImage === undefined ? undefined : () => void addImage()}
        />
      )}
      <div ref={host} class="blocks-host" />
      {uploads.status}
      {editor !== undefined && isLinking && (
        <LinkDialog
          url={link?.url ?? ''}
          text={link === undefined && editor.state.selection.empty ? '' : undefined}
          read={typedUrl}
          done={({ url, text }) => {
            setLink(url, text)(editor.state, editor.view.dispatch);
            closeLink();
          }}
          remove={
            link === undefined
              ? undefined
              : () => {
                  removeLink(editor.state, editor.view.dispatch);
                  closeLink();
                }
          }
          close={closeLink}
        />
      )}
    </div>
  );
}
