/** The form of one document: read, changed, saved and published. */

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Panels } from '../extensions/panels.tsx';
import type { Path } from '../fields/form-context.ts';
import { listHref } from '../lists/list-href.ts';
import { type DescribedType, defaultLocale } from '../server/me.ts';
import { ask } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { guardLeaving, place, rename } from '../shell/location.ts';
import { notifyFailure } from '../shell/notices.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { say } from '../words/say.ts';
import { newName } from '../work/new-name.ts';
import { Actions } from './actions.tsx';
import type { OtherLocale } from './beside.tsx';
import { useCreating } from './create-drawer.tsx';
import { DocumentFields } from './document-fields.tsx';
import { LocalesBar } from './locales-bar.tsx';
import { OpenDocument } from './open-document.ts';
import { OrphanedWork } from './orphaned-work.tsx';
import { Presence } from './presence.tsx';
import { PreviewPane } from './preview/preview.tsx';
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
      <PageTitle text={say(state.value === 'missing' ? 'document.missing' : 'document.failed')} />
      <p>{opened.loadProblem}</p>
      <OrphanedWork opened={opened} />
      <a href={listHref(type)}>{type.label}</a>
    </div>
  );
}

function useOpened(type: DescribedType, documentId: string | undefined): OpenDocument {
  return useMemo(() => {
    const { query } = place.value;
    const locale = type.localized ? (query.get('locale') ?? defaultLocale()) : undefined;
    const isNew = documentId === undefined && type.kind === 'collectionType';
    const draftName = isNew ? (query.get('draft') ?? newName()) : undefined;
    const made = new OpenDocument(type, { documentId, locale, draftName });
    made.onFailure = notifyFailure;
    void begin(made);
    return made;
  }, []);
}

async function begin(opened: OpenDocument): Promise<void> {
  const { draftName } = opened;
  if (draftName !== undefined) {
    opened.draftName = await opened.work.form.ownName(draftName);
    if (opened.isLeft) return;
    // A reload finds what was typed into a new document by its name.
    rename(opened.href);
  }
  await opened.load();
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
    opened.leave();
    removeEventListener('beforeunload', warn);
    guardLeaving(undefined);
  };
}

function Loaded({ opened }: { readonly opened: OpenDocument }) {
  const { type } = opened;
  const versions = useVersions(opened);
  const isBeside = useSignal(false);
  const beside = useSignal<OtherLocale | undefined>(undefined);
  const revealed = useSignal<Path | undefined>(undefined);
  const { create, drawer } = useCreating();
  const title = useComputed(
    () => opened.title.value || (opened.isStored.value ? say('document.untitled') : say('shell.new', { type: type.label })),
  );
  return (
    <form class={isBeside.value ? 'page document has-preview' : 'page document'} noValidate onSubmit={(event) => event.preventDefault()}>
      <header class="document-head">
        <p class="soft">
          <a href={listHref(type)}>{type.label}</a>
        </p>
        <PageTitle text={title} />
        <a class="skip" href="#fields">
          {say('document.skip')}
        </a>
        <LocalesBar opened={opened} versions={versions} beside={beside} />
        <Actions opened={opened} versions={versions} isBeside={isBeside} />
        <Presence opened={opened} />
      </header>
      <div class="document-body">
        <div id="fields" tabIndex={-1}>
          <DocumentFields opened={opened} create={create} beside={beside} revealed={revealed} />
        </div>
        <Panels opened={opened} />
      </div>
      <PreviewPane
        opened={opened}
        isBeside={isBeside}
        reveal={(path) => {
          revealed.value = path;
        }}
      />
      {drawer}
    </form>
  );
}
