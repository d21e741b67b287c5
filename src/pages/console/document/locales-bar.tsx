/** The locales of a document: which there are, which lack, and filling one from another. */
import { me } from '../server/me.ts';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import type { OpenDocument } from './open-document.ts';
import { type Versions, versionIn } from './versions.ts';

interface Props {
  readonly opened: OpenDocument;
  readonly versions: Versions;
}

export function LocalesBar({ opened, versions }: Props) {
  const locales = me.value?.locales ?? [];
  if (!opened.type.localized || locales.length < 2) return null;
  return (
    <div class="locales">
      <ul aria-label={say('document.locales')}>
        {locales.map(({ code, name }) => (
          <li key={code}>
            <a class="chip" href={opened.hrefIn(code)} aria-current={code === opened.locale ? 'page' : undefined} title={name}>
              {code} <span class="soft">{stateOf(versions, code)}</span>
            </a>
          </li>
        ))}
      </ul>
      <CopyFrom opened={opened} versions={versions} />
    </div>
  );
}

function stateOf(versions: Versions, code: string): string {
  const version = versionIn(versions, code);
  if (version === undefined) return say('document.localeMissing');
  if (!version.published) return say('document.statusDraft');
  return say(version.isModified ? 'document.statusModified' : 'document.statusPublished');
}

/** Fills the form with the values of another locale; nothing is saved by it. */
function CopyFrom({ opened, versions }: Props) {
  const others = versions.list.value.filter(({ locale }) => locale !== null && locale !== opened.locale);
  if (others.length === 0) return null;
  const copy = async (code: string) => {
    const values = await opened.readVersion({ locale: code });
    if (values === undefined) return notifyFailure(undefined);
    const localized = opened.attributes.filter((each) => each.localized && each.type !== 'uid').map(({ name }) => name);
    const before = localized.map((name) => [name, opened.valueOf(name).value] as const);
    opened.fill(Object.fromEntries(localized.map((name) => [name, values[name]])));
    const undo = () => {
      for (const [name, value] of before) opened.change(name, value);
    };
    notify({ text: say('document.copied', { locale: code }), action: { label: say('shell.undo'), run: undo }, stays: 15_000 });
  };
  return (
    <details class="more">
      <summary>{say('document.copyFrom')}</summary>
      <div class="more-list">
        {others.map(({ locale }) => (
          <button
            key={locale}
            type="button"
            onClick={(event) => {
              event.currentTarget.closest('details')?.removeAttribute('open');
              void copy(locale ?? '');
            }}
          >
            {locale}
          </button>
        ))}
      </div>
    </details>
  );
}
