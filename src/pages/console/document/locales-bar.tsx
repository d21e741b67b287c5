/** The locales of a document: which there are, which lack, and filling one from another. */
import { me } from '../server/me.ts';
import { hrefOf, place } from '../shell/location.ts';
import { notify } from '../shell/notices.tsx';
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
            <a
              class="chip"
              href={hrefOf(place.value.path, { locale: code })}
              aria-current={code === opened.locale ? 'page' : undefined}
              title={name}
            >
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
    if (values === undefined) return;
    const localized = opened.attributes.filter((each) => each.localized && each.type !== 'uid').map(({ name }) => name);
    opened.fill(Object.fromEntries(localized.map((name) => [name, values[name]])));
    notify({ text: say('document.copied', { locale: code }) });
  };
  return (
    <label class="copy-from">
      <span class="unseen">{say('document.copyFrom')}</span>
      <select
        value=""
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.value = '';
          void copy(value);
        }}
      >
        <option value="">{say('document.copyFrom')}</option>
        {others.map(({ locale }) => (
          <option key={locale} value={locale ?? ''}>
            {locale}
          </option>
        ))}
      </select>
    </label>
  );
}
