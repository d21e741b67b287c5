/** The page of the site beside the form. A site that is made for Strapi's preview says that it is
 *  ready; it is told of saved changes, and says which text was double-clicked. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { Path } from '../../fields/form-context.ts';
import { componentOf, type DescribedType, editableTypes, localeName, me } from '../../server/me.ts';
import { go } from '../../shell/location.ts';
import { notify } from '../../shell/notices.tsx';
import { say } from '../../words/say.ts';
import { pageHrefOf } from '../document-paths.ts';
import type { OpenDocument } from '../open-document.ts';
import { isRecord } from '../values.ts';
import { previewUrl } from './preview-url.ts';
import { fieldAt, readSource, type Source } from './source.ts';

interface Props {
  readonly opened: OpenDocument;
  readonly template: string;
  /** Shows a field of the form, and focuses it. */
  readonly reveal: (path: Path) => void;
}

export function PreviewFrame({ opened, template, reveal }: Props) {
  const url = previewUrl(template, opened);
  const stored = opened.stored.value;
  const frame = useRef<HTMLIFrameElement>(null);
  const isReady = useRef(false);
  const [round, reload] = useReducer((count: number) => count + 1, 0);
  const shown = useRef({ url, stored });
  const { origin } = new URL(url);
  const send = (type: string, payload?: unknown) => {
    frame.current?.contentWindow?.postMessage({ type, ...(payload === undefined ? {} : { payload }) }, origin);
  };
  useLayoutEffect(() => {
    const former = shown.current;
    shown.current = { url, stored };
    // Another URL has another frame already.
    if (former.url !== url) isReady.current = false;
    else if (former.stored === stored) return;
    else if (isReady.current) send('strapiUpdate');
    else reload(undefined);
  }, [url, stored]);
  useEffect(() => {
    let removeNotice: (() => void) | undefined;
    const listen = async ({ source, origin: sender, data }: MessageEvent<unknown>) => {
      const { current } = frame;
      if (current === null || sender !== origin || !isRecord(data)) return;
      // From a page that is gone, which has no window any more.
      if (data.type === 'lecternPreviewLeft' && source === null) isReady.current = false;
      if (source !== current.contentWindow) return;
      if (data.type === 'previewReady') {
        isReady.current = true;
        const { siteScript } = await import('./site-script.ts');
        send('strapiScript', { script: `(${siteScript})(${JSON.stringify(location.origin)})` });
      }
      // Only a user whose focus is in the page is led out of it: it must not take the focus from the form.
      if (data.type !== 'strapiFieldFocusIntent' || document.activeElement !== current) return;
      const chosen = readSource(isRecord(data.payload) ? data.payload.path : undefined);
      if (chosen === undefined) return;
      // However many texts the page reports, there is one notice.
      removeNotice?.();
      removeNotice = choose(chosen, opened, reveal);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [opened, origin]);
  return (
    <iframe
      key={`${round} ${url}`}
      ref={frame}
      class="preview"
      title={say('document.preview')}
      src={url}
      sandbox="allow-scripts allow-same-origin allow-forms"
    />
  );
}

/** Leads to the field of a text. Returns what removes the notice, if there is one instead. */
function choose(source: Source, opened: OpenDocument, reveal: (path: Path) => void): (() => void) | undefined {
  const { documentId, locale, stored, attributes } = opened;
  const sourceLocale = me.value?.locales.find(({ code }) => code === source.locale)?.code;
  if (source.documentId !== (documentId.value ?? stored.value.documentId)) {
    const type = typeOfSource(source);
    if (type === undefined) return notify({ text: say('document.previewOther') });
    const href = pageHrefOf(type, {
      documentId: source.documentId,
      locale: type.localized ? sourceLocale : undefined,
      draftName: undefined,
    });
    return notifyWithLink(say('document.previewOtherType', { type: type.label }), href);
  }
  if (locale !== undefined && sourceLocale !== undefined && sourceLocale !== locale)
    return notifyWithLink(say('document.previewLocale', { locale: localeName(sourceLocale) }), opened.hrefIn(sourceLocale));
  const typed = Object.fromEntries(attributes.map(({ name }) => [name, opened.valueOf(name).value]));
  const path = fieldAt(source.path, { attributes, stored: stored.value, typed }, componentOf);
  if (path === undefined) return notify({ text: say('document.previewNoField') });
  reveal(path);
  return undefined;
}

/** The type of another document. Deeper paths name the component or the linked type instead. */
const typeOfSource = ({ path, model }: Source): DescribedType | undefined =>
  path.length === 1 ? editableTypes.value.find(({ uid }) => uid === model) : undefined;

const notifyWithLink = (text: string, href: string) =>
  notify({ text, action: { label: say('document.previewOpen'), run: () => void go(href) }, stays: 15_000 });
