/** `/console/releases`: sets of documents that are published together. `/console/releases/1` is one. */
import { useState } from 'preact/hooks';
import { Failed } from '../people/failed.tsx';
import { useLoaded } from '../people/manage.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { DialogForm } from '../shell/dialog-form.tsx';
import { Skeleton } from '../shell/later.tsx';
import { go, hrefOf, place } from '../shell/location.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { say } from '../words/say.ts';
import { type ListedRelease, problemOf, type Release, releasesPath, stateChips } from './release.ts';
import { ReleaseView } from './release-view.tsx';
import { When } from './when.tsx';

export default function ReleasesPage() {
  const [, id] = place.value.path;
  return id === undefined ? <Releases /> : <ReleaseView key={id} id={id} />;
}

interface ReleasesBody {
  readonly data: readonly ListedRelease[];
  readonly meta: { readonly pagination: { readonly pageCount: number } };
}

function Releases() {
  const [page, setPage] = useState(1);
  const [isNew, setNew] = useState(false);
  const { body, failure, reload } = useLoaded(String(page), () =>
    request<ReleasesBody>('GET', releasesPath(), { query: `pagination[page]=${page}` }),
  );
  const releases = body?.data;
  const pageCount = body?.meta.pagination.pageCount ?? 1;
  return (
    <div class="page">
      <PageTitle text={say('releases.title')} />
      <div class="people-tools">
        <p class="soft people-search">{say('releases.hint')}</p>
        <button type="button" class="primary" onClick={() => setNew(true)}>
          {say('releases.new')}
        </button>
      </div>
      {failure !== undefined && <Failed failure={failure} retry={reload} />}
      {releases === undefined && failure === undefined && <Skeleton />}
      {releases?.length === 0 && <p class="people-empty">{say('releases.none')}</p>}
      {releases !== undefined && releases.length > 0 && (
        <table class="people-list">
          <thead>
            <tr>
              <th scope="col">{say('releases.name')}</th>
              <th scope="col">{say('releases.state')}</th>
              <th scope="col">{say('releases.time')}</th>
            </tr>
          </thead>
          <tbody>
            {releases.map((release) => (
              <Listed key={release.id} release={release} />
            ))}
          </tbody>
        </table>
      )}
      {pageCount > 1 && (
        <p class="buttons">
          <button type="button" aria-disabled={page === 1} onClick={() => setPage(Math.max(page - 1, 1))}>
            {say('releases.newer')}
          </button>
          <button type="button" aria-disabled={page === pageCount} onClick={() => setPage(Math.min(page + 1, pageCount))}>
            {say('releases.older')}
          </button>
        </p>
      )}
      {isNew && <NewRelease close={() => setNew(false)} />}
    </div>
  );
}

function Listed({ release }: { readonly release: ListedRelease }) {
  const { id, name, state } = release;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf(['releases', String(id)])} dir="auto">
          {name}
        </a>
      </th>
      <td data-label={say('releases.state')}>
        <span class={stateChips[state][1]}>{say(stateChips[state][0])}</span>
      </td>
      <td data-label={say('releases.time')}>
        <When release={release} />
      </td>
    </tr>
  );
}

function NewRelease({ close }: { readonly close: () => void }) {
  const submit = async (data: FormData) => {
    const name = data.get('name');
    const { json, failure } = await request<{ readonly data: Release }>('POST', releasesPath(), { body: { name } });
    if (json === undefined) return problemOf(failure);
    await go(hrefOf(['releases', String(json.data.id)]));
    return undefined;
  };
  return (
    <Dialog title={say('releases.new')} close={close}>
      <DialogForm yes={say('releases.create')} submit={submit} close={close}>
        <label>
          {say('releases.name')}
          <input name="name" maxLength={200} required autofocus autocomplete="off" />
        </label>
      </DialogForm>
    </Dialog>
  );
}
