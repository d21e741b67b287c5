/** Saved views of a list: links to their addresses. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { DescribedType } from '../server/me.ts';
import { Dialog } from '../shell/dialog.tsx';
import { go, hrefOf, place } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { keepViews, keptViews, type SavedView } from './kept.ts';
import { viewQuery } from './view-url.ts';

/** By the uid of their type; read again whenever a list is opened. */
const saved = signal<Readonly<Record<string, readonly SavedView[]>>>({});

const viewsOf = ({ uid }: DescribedType): readonly SavedView[] => saved.value[uid] ?? keptViews(uid);

function change({ uid }: DescribedType, views: readonly SavedView[]): void {
  keepViews(uid, views);
  saved.value = { ...saved.value, [uid]: views };
}

/** A list that is opened without a query shows the view that the user chose for that. */
export function useDefaultView(type: DescribedType): void {
  useEffect(() => {
    const { [type.uid]: _, ...others } = saved.value;
    saved.value = others;
    const view = keptViews(type.uid).find(({ isDefault }) => isDefault);
    if (view !== undefined && place.value.query.toString() === '')
      void go(hrefOf(place.value.path, new URLSearchParams(view.query)), { replace: true });
  }, [type]);
}

export function Views({ type }: { readonly type: DescribedType }) {
  const dialog = useSignal<'save' | 'manage' | undefined>(undefined);
  const views = viewsOf(type);
  const current = viewQuery(place.value.query);
  const isKnown = current === '' || views.some(({ query }) => query === current);
  if (views.length === 0 && current === '' && dialog.value === undefined) return null;
  const close = () => {
    dialog.value = undefined;
  };
  return (
    <nav class="list-chips" aria-label={say('lists.views')}>
      {views.length > 0 && (
        <a class="chip" href={hrefOf(place.value.path)} aria-current={current === '' ? 'page' : undefined}>
          {say('lists.allView')}
        </a>
      )}
      {views.map(({ name, query }) => (
        <a
          key={name}
          class="chip"
          href={hrefOf(place.value.path, new URLSearchParams(query))}
          aria-current={query === current ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
      {!isKnown && (
        <button
          type="button"
          class="link"
          onClick={() => {
            dialog.value = 'save';
          }}
        >
          {say('lists.saveView')}
        </button>
      )}
      {views.length > 0 && (
        <button
          type="button"
          class="link"
          onClick={() => {
            dialog.value = 'manage';
          }}
        >
          {say('lists.viewsManage')}
        </button>
      )}
      {dialog.value === 'save' && <SaveDialog type={type} query={current} close={close} />}
      {dialog.value === 'manage' && <ManageDialog type={type} close={close} />}
    </nav>
  );
}

/** At most one is the default. */
const withDefault = (views: readonly SavedView[], name: string | undefined): readonly SavedView[] =>
  views.map((view) => ({ ...view, isDefault: view.name === name }));

function SaveDialog({ type, query, close }: { readonly type: DescribedType; readonly query: string; readonly close: () => void }) {
  const name = useSignal('');
  const isDefault = useSignal(false);
  const id = useId();
  const views = viewsOf(type);
  const trimmed = name.value.trim();
  const save = () => {
    const others = views.filter((view) => view.name !== trimmed);
    const all = [...others, { name: trimmed, query, isDefault: isDefault.value }];
    change(type, isDefault.value ? withDefault(all, trimmed) : all);
    close();
  };
  return (
    <Dialog title={say('lists.saveView')} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed !== '') save();
        }}
      >
        <div>
          <label for={id}>{say('lists.viewName')}</label>
          <input
            id={id}
            autofocus
            maxLength={60}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={isDefault.value}
            onChange={(event) => {
              isDefault.value = event.currentTarget.checked;
            }}
          />
          {say('lists.viewDefault')}
        </label>
        <p class="soft">{say(views.some((view) => view.name === trimmed) ? 'lists.viewReplaces' : 'lists.viewsHint')}</p>
        <p class="buttons">
          <button type="submit" class="primary" disabled={trimmed === ''}>
            {say('lists.viewSave')}
          </button>
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function ManageDialog({ type, close }: { readonly type: DescribedType; readonly close: () => void }) {
  const views = viewsOf(type);
  const group = useId();
  const isUsual = !views.some(({ isDefault }) => isDefault);
  return (
    <Dialog title={say('lists.views')} close={close}>
      <fieldset class="list-choices">
        <legend>{say('lists.viewDefault')}</legend>
        <label class="check">
          <input type="radio" name={group} checked={isUsual} onChange={() => change(type, withDefault(views, undefined))} />
          {say('lists.allView')}
        </label>
        {views.map(({ name, isDefault }) => (
          <div key={name} class="list-view">
            <label class="check">
              <input type="radio" name={group} checked={isDefault} onChange={() => change(type, withDefault(views, name))} />
              {name}
            </label>
            <button
              type="button"
              class="quiet"
              aria-label={say('lists.viewRemove', { name })}
              onClick={() =>
                change(
                  type,
                  views.filter((view) => view.name !== name),
                )
              }
            >
              ✕
            </button>
          </div>
        ))}
      </fieldset>
      <p class="soft">{say(views.length === 0 ? 'lists.viewsNone' : 'lists.viewsHint')}</p>
      <p class="buttons">
        <button type="button" class="primary" onClick={close}>
          {say('lists.done')}
        </button>
      </p>
    </Dialog>
  );
}
