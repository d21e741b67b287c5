/** The form of one document: read, changed, saved and published. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Field } from '../fields/field.tsx';
import { type Form, FormContext, fieldId, type Path } from '../fields/form-context.ts';
import { type DescribedAttribute, type DescribedType, defaultLocale, pathNameOf } from '../server/me.ts';
import { ask } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { guardLeaving, hrefOf, place } from '../shell/location.ts';
import { notifyFailure } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { Actions } from './actions.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { groupsOf } from './groups.ts';
import { LocalesBar } from './locales-bar.tsx';
import { OpenDocument } from './open-document.ts';
import { ProblemList } from './problem-list.tsx';
import { useVersions } from './versions.ts';

interface Props {
  readonly type: DescribedType;
  readonly documentId: string | undefined;
}

export default function DocumentPage({ type, documentId }: Props) {
  const opened = useOpened(type, documentId);
  const { state } = opened;
  useEffect(() => watchLeaving(opened), [opened]);
  if (state.value === 'loading') return <Skeleton lines={8} />;
  if (state.value === 'ready') return <Loaded opened={opened} />;
  return (
    <div class="page">
      <h1>{say(state.value === 'missing' ? 'document.missing' : 'document.failed')}</h1>
      <p>{opened.loadProblem}</p>
      <a href={hrefOf(['content', pathNameOf(type)])}>{type.label}</a>
    </div>
  );
}

function useOpened(type: DescribedType, documentId: string | undefined): OpenDocument {
  return useMemo(() => {
    const { query } = place.value;
    const locale = type.localized ? (query.get('locale') ?? defaultLocale()) : undefined;
    const isNew = documentId === undefined && type.kind === 'collectionType';
    const draftName = isNew ? (query.get('draft') ?? crypto.randomUUID().slice(0, 8)) : undefined;
    const made = new OpenDocument(type, { documentId, locale, draftName });
    made.onFailure = notifyFailure;
    // A reload finds what was typed into a new document by its name.
    if (isNew && !query.has('draft')) history.replaceState(null, '', made.href);
    void made.load();
    return made;
  }, []);
}

/** What was typed is kept in the browser; people should know all the same. */
function watchLeaving(opened: OpenDocument): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (opened.isChanged.value) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  guardLeaving(async () => {
    if (!opened.isChanged.value) return true;
    return ask({ title: say('document.leaveTitle'), text: say('document.leaveText'), yes: say('document.leave') });
  });
  return () => {
    removeEventListener('beforeunload', warn);
    guardLeaving(undefined);
  };
}

function Loaded({ opened }: { readonly opened: OpenDocument }) {
  const { type } = opened;
  const revealed = useSignal<Path | undefined>(undefined);
  const versions = useVersions(opened);
  const form = useMemo(
    (): Form => ({
      uid: type.uid,
      documentId: opened.documentId,
      locale: opened.locale,
      isDraft: opened.isDraft,
      problems: opened.problems,
      revealed,
      valueOf: (name) => opened.valueOf(name).value,
    }),
    [opened],
  );
  const reveal = (path: Path) => {
    revealed.value = path;
    // After whatever is folded has opened.
    setTimeout(() => focusField(path));
  };
  const title = useComputed(
    () => opened.title.value || (opened.isStored.value ? say('document.untitled') : say('shell.new', { type: type.label })),
  );
  return (
    <FormContext.Provider value={form}>
      <form class="page document" noValidate onSubmit={(event) => event.preventDefault()}>
        <header class="document-head">
          <p class="soft">
            <a href={hrefOf(['content', pathNameOf(type)])}>{type.label}</a>
          </p>
          <h1 dir="auto">{title}</h1>
          <LocalesBar opened={opened} versions={versions} />
          <Actions opened={opened} versions={versions} />
        </header>
        <RestoredNotice opened={opened} />
        <ProblemList problems={opened.problems} attributes={opened.attributes} reveal={reveal} />
        {groupsOf(type, opened.attributes).map(({ name, label, attributes }) => (
          <section key={name} class="fields" aria-label={label}>
            {label !== undefined && <h2>{label}</h2>}
            {attributes.map((attribute) => (
              <TopField key={attribute.name} opened={opened} attribute={attribute} />
            ))}
          </section>
        ))}
        <ConflictDialog opened={opened} />
      </form>
    </FormContext.Provider>
  );
}

/** Subscribes to one value, so that typing into one field draws no other. */
function TopField({ opened, attribute }: { readonly opened: OpenDocument; readonly attribute: DescribedAttribute }) {
  const change = useMemo(() => (name: string, value: unknown) => opened.change(name, value), [opened]);
  const path = useMemo(() => [attribute.name], [attribute]);
  const value = opened.valueOf(attribute.name).value;
  return <Field attribute={attribute} value={value} change={change} path={path} isReadOnly={!opened.mayWrite(attribute)} />;
}

function RestoredNotice({ opened }: { readonly opened: OpenDocument }) {
  const at = opened.restoredFrom.value;
  if (at === undefined || !opened.isChanged.value) return null;
  return (
    <p class="restored" role="status">
      <span>
        {say('document.restored')} <Ago at={at} />
      </span>
      <button type="button" onClick={() => void opened.discard()}>
        {say('document.dropChanges')}
      </button>
    </p>
  );
}

function focusField(path: Path): void {
  for (let length = path.length; length > 0; length -= 1) {
    const element = document.getElementById(fieldId(path.slice(0, length)));
    if (element === null) continue;
    element.scrollIntoView({ block: 'center' });
    element.focus();
    return;
  }
}
