/** Makes a document in a drawer above the form that wants to link to it. */
import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CreateDocument } from '../fields/form-context.ts';
import { type DescribedType, may } from '../server/me.ts';
import { ask, Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { newName } from '../work/new-name.ts';
import { DocumentFields } from './document-fields.tsx';
import { OpenDocument } from './open-document.ts';
import type { LinkedDocument } from './values.ts';

interface Wish {
  readonly type: DescribedType;
  readonly title: string;
  readonly locale: string | undefined;
  readonly done: (document: LinkedDocument | undefined) => void;
}

/** `drawer` is to be drawn where the form is. */
export function useCreating(): { readonly create: CreateDocument; readonly drawer: ComponentChild } {
  const [wish, setWish] = useState<Wish>();
  const create = useMemo(
    (): CreateDocument => (type, options) =>
      new Promise((resolve) => {
        const done = (document: LinkedDocument | undefined) => {
          setWish(undefined);
          resolve(document);
        };
        setWish({ type, ...options, done });
      }),
    [],
  );
  return { create, drawer: wish === undefined ? null : <CreateDrawer {...wish} /> };
}

function CreateDrawer({ type, title, locale, done }: Wish) {
  const opened = useMemo(() => {
    const made = new OpenDocument(type, { documentId: undefined, locale, draftName: newName() });
    made.onFailure = notifyFailure;
    return made;
  }, []);
  const { create, drawer } = useCreating();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void opened.load().then(() => {
      if (title !== '' && type.title !== undefined) opened.change(type.title, title);
      // Once the fields are drawn.
      setTimeout(() => body.current?.querySelector<HTMLElement>('input, textarea, select')?.focus());
    });
    return () => opened.leave();
  }, [opened]);
  const close = async () => {
    const text = say('document.leaveText');
    const yes = say('document.leave');
    // What was stored before publishing failed is linked all the same.
    if (!opened.isChanged.value || (await ask({ title: say('document.leaveTitle'), text, yes })))
      done(opened.isStored.value ? linkOf(opened) : undefined);
  };
  const save = async (isPublished: boolean) => {
    if (!(await opened.save())) return;
    if (isPublished && !(await opened.act('publish'))) return;
    done(linkOf(opened));
  };
  const mayPublish = type.draftAndPublish && may(type, 'publish');
  return (
    <Dialog title={say('shell.new', { type: type.label })} kind="side" close={() => void close()}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the page, for what is above it. */}
      <div
        ref={body}
        class="create-drawer"
        onKeyDown={(event) => {
          if (!(event.metaKey || event.ctrlKey) || (event.key.toLowerCase() !== 's' && event.key !== 'Enter')) return;
          event.preventDefault();
          event.stopPropagation();
          void save(event.key === 'Enter' && mayPublish);
        }}
      >
        {opened.state.value === 'ready' ? (
          <DocumentFields opened={opened} name={`new-${opened.draftName}`} create={create} />
        ) : (
          <Skeleton />
        )}
        <p class="buttons">
          <button type="button" class="primary" disabled={opened.isSaving.value} onClick={() => void save(false)}>
            {say('fields.saveAndLink')}
          </button>
          {mayPublish && (
            <button type="button" disabled={opened.isSaving.value} onClick={() => void save(true)}>
              {say('fields.publishAndLink')}
            </button>
          )}
        </p>
        {drawer}
      </div>
    </Dialog>
  );
}

/** As a relation has it. */
function linkOf({ stored, documentId, type, locale }: OpenDocument): LinkedDocument {
  const { title } = type;
  return {
    documentId: documentId.value ?? '',
    ...(title === undefined ? {} : { [title]: stored.value[title] }),
    ...(locale === undefined ? {} : { locale }),
  };
}
