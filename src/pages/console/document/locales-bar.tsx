/** The locales of a document: which there are, which lack, filling one from another, and showing
 *  another one beside the form. */
import type { Signal } from '@preact/signals';
import { localeName, me } from '../server/me.ts';
import { notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import type { OtherLocale } from './beside.tsx';
import { fillFrom } from './fill-from.ts';
import type { OpenDocument } from './open-document.ts';
import { type Versions, versionIn } from './versions.ts';

interface Props {
  readonly opened: OpenDocument;
  readonly versions: Versions;
  /** What is shown beside the form. */
  readonly beside: Signal<OtherLocale | undefined>;
}

export function LocalesBar({ opened, versions, beside }: Props) {
  const locales = me.value?.locales ?? [];
  if (!opened.type.localized || locales.length < 2) return null;
  const others = versions.list.value.flatMap(({ locale }) => (locale === null || locale === opened.locale ? [] : [locale]));
  const read = async (code: string, use: (other: OtherLocale) => void) => {
    const values = await opened.readVersion({ locale: code });
    if (values === undefined) notifyFailure(undefined);
    else use({ code, values });
  };
  const copy = ({ code, values }: OtherLocale) => fillFrom(opened, localeName(code), values, opened.attributes);
  const show = (other: OtherLocale | undefined) => {
    beside.value = other;
  };
  return (
    <div class="locales">
      <ul aria-label={say('document.locales')}>
        {locales.map(({ code, name }) => (
          <li key={code}>
            <a class="chip" href={opened.hrefIn(code)} aria-current={code === opened.locale ? 'page' : undefined}>
              {name} <span class="soft">{stateOf(versions, code, opened.locale)}</span>
            </a>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <LocaleMenu label={say('document.copyFrom')} codes={others} choose={(code) => void read(code, copy)} />
          <LocaleMenu label={say('document.beside')} codes={others} choose={(code) => void read(code, show)} />
        </>
      )}
      {beside.value !== undefined && (
        <button type="button" onClick={() => show(undefined)}>
          {say('document.besideHide', { locale: localeName(beside.value.code) })}
        </button>
      )}
    </div>
  );
}

function stateOf(versions: Versions, code: string, shown: string | undefined): string {
  const version = versionIn(versions, code);
  if (version === undefined) return say(code === shown ? 'document.localeNew' : 'document.localeMissing');
  if (!version.published) return say('document.statusDraft');
  return say(version.isModified ? 'document.statusModified' : 'document.statusPublished');
}

interface MenuProps {
  readonly label: string;
  readonly codes: readonly string[];
  readonly choose: (code: string) => void;
}

function LocaleMenu({ label, codes, choose }: MenuProps) {
  return (
    <details class="more">
      <summary>{label}</summary>
      <div class="more-list">
        {codes.map((code) => (
          <button
            key={code}
            type="button"
            onClick={(event) => {
              event.currentTarget.closest('details')?.removeAttribute('open');
              choose(code);
            }}
          >
            {localeName(code)}
          </button>
        ))}
      </div>
    </details>
  );
}
