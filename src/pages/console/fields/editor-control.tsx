/** Values that have an editor of their own, loaded when one is first shown. */
import type { ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';
import { BlocksEditor, JsonEditor, MarkdownEditor } from '../editors/lazy.ts';
import type { MediaFile } from '../media/media-file.ts';
import { mayUse } from '../server/me.ts';
import { notifyFailure } from '../shell/notices.tsx';
import type { ControlProps } from './control-props.ts';
import { invalidJson, invalidTextOf } from './invalid-json.ts';

/** Loaded when it is first needed: the library is as large as the rest of a form. */
const library = () => import('../media/pick-files.tsx');
const files = () => Promise.all([import('../media/api.ts'), import('../media/folders.ts')]);

/** A right may leave out the URL, without which a file cannot be put into a text. */
const withUrl = (file: MediaFile | undefined) => (file?.url === undefined ? undefined : file);

async function pick(allowedTypes?: readonly string[]) {
  const { pickFiles } = await library();
  return withUrl((await pickFiles({ isMany: false, allowedTypes }))?.[0]);
}

async function upload(file: File) {
  const [{ addFile }, { lastFolder, loadFolders }] = await files();
  await loadFolders();
  const answer = await addFile(file, file.name, { folder: lastFolder() });
  if (!answer.ok) notifyFailure(answer.failure);
  return withUrl(answer.json?.[0]);
}

const pickImage = () => pick(['images']);
const pickFile = () => pick();

export function EditorControl(props: ControlProps) {
  const { attribute } = props;
  if (attribute.type === 'json') return <JsonControl {...props} />;
  const mayFind = mayUse('plugin::upload.content-api.find');
  const uploadFile = mayUse('plugin::upload.content-api.upload') ? upload : undefined;
  if (attribute.type === 'blocks')
    return <BlocksEditor {...(props as BlocksProps)} pickImage={mayFind ? pickImage : undefined} uploadFile={uploadFile} />;
  return <MarkdownEditor {...(props as MarkdownProps)} pickFile={mayFind ? pickFile : undefined} uploadFile={uploadFile} />;
}

/** What is no JSON yet stands in the place of the value, so that it is kept like any other change. */
function JsonControl({ value, change, ...props }: ControlProps) {
  const text = invalidTextOf(value);
  const valid = useRef(text === undefined ? value : null);
  if (text === undefined) valid.current = value;
  const latest = useRef(value);
  latest.current = value;
  const changeText = (typed: string | undefined) => {
    const former = invalidTextOf(latest.current);
    if (typed === former) return;
    if (typed !== undefined) change(invalidJson(typed));
    else change(valid.current);
  };
  return <JsonEditor {...props} value={valid.current} text={text} change={change} onText={changeText} />;
}

/** What the schema file says of the attribute is what its values are. */
type BlocksProps = ComponentProps<typeof BlocksEditor>;
type MarkdownProps = ComponentProps<typeof MarkdownEditor>;
