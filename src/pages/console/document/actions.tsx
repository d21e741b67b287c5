/** What can be done with a document: save, publish, and what is needed less often. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { flushEditors } from '../editors/shared/delayed-changes.ts';
import { Menu } from '../fields/menu.tsx';
import { listHref } from '../lists/list-href.ts';
import { AddToRelease } from '../releases/add-to-release.tsx';
import { localeName, may } from '../server/me.ts';
import { ask } from '../shell/dialog.tsx';
import { go, hrefOf, rename } from '../shell/location.ts';
import { notify } from '../shell/notices.tsx';
import { uppermost } from '../shell/open-dialogs.ts';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import type { OpenDocument } from './open-document.ts';
import { PreviewButtons, publishedUrl } from './preview/preview.tsx';
import { showProblems } from './problem-list.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { type Versions, versionIn } from './versions.ts';

interface Props {
  readonly opened: OpenDocument;
  readonly versions: Versions;
  /** Whether the preview is beside the form. */
  readonly isBeside: Signal<boolean>;
}

const dialogs = { compare: CompareDialog, history: HistoryDialog, schedule: ScheduleDialog, release: ReleaseDialog };

const isMac = navigator.platform.startsWith('Mac');
const key = (letter: string) => (isMac ? `⌘${letter}` : `Ctrl+${letter}`);

export function Actions({ opened, versions, isBeside }: Props) {
  const { type } = opened;
  const dialog = useSignal<keyof typeof dialogs | undefined>(undefined);
  const open = (name: keyof typeof dialogs) => () => {
    dialog.value = name;
  };
  const OpenDialog = dialog.value && dialogs[dialog.value];
  const run = useActions(opened, versions);
  const mayPublish = type.draftAndPublish && may(type, 'publish');
  const maySave = opened.attributes.some((each) => opened.mayWrite(each));
  const version = versionIn(versions, opened.locale);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
      const isSave = event.key.toLowerCase() === 's';
      if (!isSave && !(event.key === 'Enter' && mayPublish)) return;
      event.preventDefault();
      // What is beneath a dialog is out of reach.
      if (uppermost.value !== undefined || event.repeat) return;
      void (isSave ? run.save() : run.publish());
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [opened]);
  // Buttons that cannot be used stay in reach: a disabled one would lose the focus.
  const isNothingToSave = opened.isSaving.value || (!opened.isChanged.value && opened.isStored.value);
  const isNothingNew = opened.isSaving.value || (!opened.isChanged.value && version?.published != null && !version.isModified);
  return (
    <div class="actions">
      <Status opened={opened} versions={versions} />
      {maySave && (
        <button
          type="button"
          class={mayPublish ? '' : 'primary'}
          title={key('S')}
          aria-disabled={isNothingToSave}
          onClick={() => {
            if (!isNothingToSave) void run.save().then((isDone) => isDone || showProblems());
          }}
        >
          {say(opened.isDraft ? 'document.saveDraft' : type.draftAndPublish ? 'document.saveAndPublish' : 'document.save')}
        </button>
      )}
      {mayPublish && (
        <button
          type="button"
          class="primary"
          title={key('⏎')}
          aria-disabled={isNothingNew}
          onClick={() => {
            if (!isNothingNew) void run.publish();
          }}
        >
          {say('document.publish')}
        </button>
      )}
      <PreviewButtons opened={opened} versions={versions} isBeside={isBeside} />
      {opened.isStored.value && (
        <Menu label={say('document.more')} isNamed={true}>
          {version?.published != null && opened.isDraft && (
            <button type="button" onClick={open('compare')}>
              {say('document.compare')}
            </button>
          )}
          {type.hasHistory && (
            <button type="button" onClick={open('history')}>
              {say('document.history')}
            </button>
          )}
          {mayPublish && (
            <button type="button" onClick={open('schedule')}>
              {say('document.schedule')}
            </button>
          )}
          {mayPublish && (
            <button type="button" onClick={open('release')}>
              {say('releases.add')}
            </button>
          )}
          {mayPublish && version?.published != null && (
            <>
              <button type="button" onClick={() => void run.unpublish()}>
                {say('document.unpublish')}
              </button>
              {version.isModified && (
                <button type="button" onClick={() => void run.discardDraft()}>
                  {say('document.discardDraft')}
                </button>
              )}
            </>
          )}
          {may(type, 'delete') && (
            <button type="button" class="danger" onClick={() => void run.remove()}>
              {say('document.delete')}
            </button>
          )}
        </Menu>
      )}
      {OpenDialog !== undefined && (
        <OpenDialog
          opened={opened}
          close={() => {
            dialog.value = undefined;
          }}
        />
      )}
    </div>
  );
}

function ReleaseDialog({ opened: { type, documentId, locale }, close }: { readonly opened: OpenDocument; readonly close: () => void }) {
  const documentIds = type.kind === 'singleType' || documentId.value === undefined ? undefined : [documentId.value];
  return <AddToRelease type={type} documentIds={documentIds} locale={locale} close={close} />;
}

function useActions(opened: OpenDocument, versions: Versions) {
  const done = async (text: string, href?: string) => {
    notify({ text, ...(href === undefined ? {} : { action: { label: say('document.onSite'), href }, stays: 15_000 }) });
    await versions.load();
  };
  const store = async () => {
    const wasNew = opened.documentId.value === undefined && opened.type.kind === 'collectionType';
    // Without drafts that the user may see, a save publishes whatever the draft has.
    const yes = say('document.saveAndPublish');
    if (opened.type.draftAndPublish && !opened.isDraft && !(await ask({ title: yes, text: say('document.saveAndPublishText'), yes })))
      return false;
    if (!(await opened.save())) return false;
    // The address of the form is that of the document now; the form stays.
    if (wasNew && !opened.isLeft) rename(opened.href);
    return true;
  };
  const save = async () => {
    if (!(await store())) return false;
    await done(say('document.saved'));
    return true;
  };
  return {
    save,
    publish: async () => {
      flushEditors();
      if (opened.isSaving.value) return;
      if (!(await opened.check())) return showProblems();
      if ((opened.isChanged.value || !opened.isStored.value) && !(await store())) return showProblems();
      // Nothing is published that the user has not seen.
      if (opened.hasMerged) notify({ text: say('document.mergedBeforePublishing') });
      else if (await opened.act('publish')) return done(say('document.published'), publishedUrl(opened));
      // The draft is stored all the same.
      await versions.load();
    },
    unpublish: async () => {
      const yes = say('document.unpublish');
      if (!(await ask({ title: yes, text: say('document.unpublishText'), yes }))) return;
      if (await opened.act('unpublish')) await done(say('document.unpublished'));
    },
    discardDraft: async () => {
      const yes = say('document.discardDraft');
      if (!(await ask({ title: yes, text: say('document.discardText'), yes, isDangerous: true }))) return;
      if (await opened.act('discard-draft')) await done(say('document.discarded'));
    },
    remove: async () => {
      const { locale } = opened;
      const text = locale === undefined ? say('document.deleteText') : say('document.deleteLocaleText', { locale: localeName(locale) });
      if (!(await ask({ title: say('document.deleteTitle'), text, yes: say('document.delete'), isDangerous: true }))) return;
      if (!(await opened.remove(false))) return;
      notify({ text: say('document.deleted') });
      await go(opened.type.kind === 'singleType' ? hrefOf([]) : listHref(opened.type));
    },
  };
}

function Status({ opened, versions }: Omit<Props, 'isBeside'>) {
  const version = versionIn(versions, opened.locale);
  const { type } = opened;
  const updatedAt = opened.stored.value.updatedAt;
  return (
    <span class="status" role="status">
      {type.draftAndPublish && opened.isStored.value && version !== undefined && (
        <span class={version.published ? (version.isModified ? 'chip warn' : 'chip good') : 'chip'}>
          {say(version.published ? (version.isModified ? 'document.statusModified' : 'document.statusPublished') : 'document.statusDraft')}
        </span>
      )}
      {opened.isSaving.value ? (
        <span class="soft">{say('document.saving')}</span>
      ) : opened.isChanged.value ? (
        <span class="soft">{say('document.unsaved')}</span>
      ) : (
        typeof updatedAt === 'string' && (
          <span class="soft">
            {say('document.savedAt')} <Ago at={updatedAt} />
          </span>
        )
      )}
    </span>
  );
}
