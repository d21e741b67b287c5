/** The page of the site that shows the document, in another tab or beside the form. */
import type { Signal } from '@preact/signals';
import type { Path } from '../../fields/form-context.ts';
import { settings } from '../../server/settings.ts';
import { say } from '../../words/say.ts';
import type { OpenDocument } from '../open-document.ts';
import { type Versions, versionIn } from '../versions.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { previewUrl, siteUrl } from './preview-url.ts';

interface Props {
  readonly opened: OpenDocument;
  readonly isBeside: Signal<boolean>;
}

const templateOf = ({ type, isStored }: OpenDocument): string | undefined =>
  isStored.value ? settings.value.preview[type.uid] : undefined;

/** Where visitors see what was published just now. */
export function publishedUrl(opened: OpenDocument): string | undefined {
  const template = templateOf(opened);
  return template === undefined ? undefined : siteUrl(template, opened, { isModified: false });
}

export function PreviewButtons({ opened, isBeside, versions }: Props & { readonly versions: Versions }) {
  const template = templateOf(opened);
  if (template === undefined) return null;
  const version = versionIn(versions, opened.locale);
  // Without a status, the preview is the page for visitors.
  const published = version?.published != null && template.includes('{status}') ? siteUrl(template, opened, version) : undefined;
  return (
    <>
      <a class="button" href={previewUrl(template, opened)} target="_blank" rel="noopener">
        {say('document.preview')}
      </a>
      {published !== undefined && (
        <a class="button" href={published} target="_blank" rel="noopener">
          {say('document.onSite')}
        </a>
      )}
      <button
        type="button"
        class="beside-button"
        aria-pressed={isBeside.value}
        onClick={() => {
          isBeside.value = !isBeside.value;
        }}
      >
        {say('document.previewBeside')}
      </button>
    </>
  );
}

export function PreviewPane({ opened, isBeside, reveal }: Props & { readonly reveal: (path: Path) => void }) {
  const template = templateOf(opened);
  if (template === undefined || !isBeside.value) return null;
  return <PreviewFrame opened={opened} template={template} reveal={reveal} />;
}
