/** Values that have an editor of their own, loaded when one is first shown. */
import type { ComponentProps } from 'preact';
import { BlocksEditor, JsonEditor, MarkdownEditor } from '../editors/lazy.ts';
import type { MediaFile } from '../media/media-file.ts';
import { mayUse } from '../server/me.ts';
import { notifyFailure } from '../shell/notices.tsx';
import type { ControlProps } from './control-props.ts';

/** Loaded when it is first needed: the library is as large as the rest of a form. */
const library = () => import('../media/pick-files.tsx');
const files = () => import('../media/api.ts');

/** A right may leave out the URL, without which a file cannot be put into a text. */
const withUrl = (file: MediaFile | undefined) => (file?.url === undefined ? undefined : file);

async function pick(allowedTypes?: readonly string[]) {
  const { pickFiles } = await library();
  return withUrl((await pickFiles({ isMany: false, allowedTypes }))?.[0]);
}

async function upload(file: File) {
  const { addFile } = await files();
  const answer = await addFile(file, file.name);
  if (!answer.ok) notifyFailure(answer.failure);
  return withUrl(answer.json?.[0]);
}

const pickImage = () => pick(['images']);
const pickFile = () => pick();

export function EditorControl(props: ControlProps) {
  const { attribute } = props;
  if (attribute.type === 'json') return <JsonEditor {...props} />;
  const mayFind = mayUse('plugin::upload.content-api.find');
  const uploadFile = mayUse('plugin::upload.content-api.upload') ? upload : undefined;
  if (attribute.type === 'blocks')
    return <BlocksEditor {...(props as BlocksProps)} pickImage={mayFind ? pickImage : undefined} uploadFile={uploadFile} />;
  return <MarkdownEditor {...(props as MarkdownProps)} pickFile={mayFind ? pickFile : undefined} uploadFile={uploadFile} />;
}

/** What the schema file says of the attribute is what its values are. */
type BlocksProps = ComponentProps<typeof BlocksEditor>;
type MarkdownProps = ComponentProps<typeof MarkdownEditor>;
