/** A drawer with the documents that a relation can link to: filtered, sorted, and several chosen. */
import { useState } from 'preact/hooks';
import type { LinkedDocument } from '../../document/values.ts';
import { type DescribedType, me } from '../../server/me.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Skeleton } from '../../shell/later.tsx';
import { say } from '../../words/say.ts';
import { showsDrafts, type TargetSearch, titleOf } from './targets.ts';
import { useTargets } from './use-targets.ts';

interface Props {
  readonly type: DescribedType;
  readonly label: string;
  readonly locale: string | undefined;
  /** Whether the locale of the targets can be chosen. */
  readonly hasLocales: boolean;
  readonly isDraft: boolean;
  readonly isMany: boolean;
  readonly isLinked: (document: LinkedDocument) => boolean;
  /** An empty list if nothing was chosen. */
  readonly choose: (documents: readonly LinkedDocument[]) => void;
}

const keyOf = ({ documentId, locale }: LinkedDocument): string => `${documentId} ${locale ?? ''}`;

export function BrowseDrawer({ type, label, locale: usual, hasLocales, isDraft, isMany, isLinked, choose }: Props) {
  const [text, setText] = useState('');
  const [locale, setLocale] = useState(usual);
  const [status, setStatus] = useState<TargetSearch['status']>();
  const [sort, setSort] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, LinkedDocument>>(new Map());
  const targets = useTargets({ type, locale, isDraft, text, status, sort }, true);
  const toggle = (row: LinkedDocument) => {
    const next = new Map(isMany ? chosen : []);
    if (chosen.has(keyOf(row))) next.delete(keyOf(row));
    else next.set(keyOf(row), row);
    setChosen(next);
  };
  return (
    <Dialog title={label} kind="side" close={() => choose([])}>
      <div class="browse">
        <div class="browse-filters">
          <label class="browse-text">
            <span>{say('fields.searchType', { type: type.label })}</span>
            <input type="search" autofocus dir="auto" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
          </label>
          {isDraft && showsDrafts(type) && (
            <label>
              <span>{say('fields.status')}</span>
              <select
                value={status ?? ''}
                onChange={({ currentTarget }) => setStatus((currentTarget.value || undefined) as TargetSearch['status'])}
              >
                <option value="">{say('fields.any')}</option>
                <option value="never-published">{say('document.statusDraft')}</option>
                <option value="modified">{say('document.statusModified')}</option>
              </select>
            </label>
          )}
          {hasLocales && (
            <label>
              <span>{say('document.locales')}</span>
              <select value={locale} onChange={({ currentTarget }) => setLocale(currentTarget.value)}>
                {me.value?.locales.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            <span>{say('fields.order')}</span>
            <select value={sort ?? ''} onChange={({ currentTarget }) => setSort(currentTarget.value || undefined)}>
              <option value="">{say('fields.byTitle')}</option>
              <option value="updatedAt:desc">{say('fields.byChange')}</option>
              <option value="createdAt:desc">{say('fields.byCreation')}</option>
            </select>
          </label>
        </div>
        <p class="soft" role="status">
          {targets.isLoading || targets.total === undefined ? '\u00a0' : say('fields.found', { count: targets.total })}
        </p>
        {targets.problem !== undefined && <p class="problem">{targets.problem}</p>}
        {targets.rows.length === 0 && targets.isLoading ? (
          <Skeleton />
        ) : (
          <ul class="browse-list">
            {targets.rows.map((row) => {
              const isThere = isLinked(row);
              return (
                <li key={keyOf(row)}>
                  <label class="check">
                    <input
                      type={isMany ? 'checkbox' : 'radio'}
                      name="browse"
                      checked={isThere || chosen.has(keyOf(row))}
                      disabled={isThere}
                      onChange={() => toggle(row)}
                    />
                    <span dir="auto">{titleOf(row, type)}</span>
                    {isThere && <span class="soft">{say('fields.linked')}</span>}
                  </label>
                </li>
              );
            })}
          </ul>
        )}
        {targets.hasMore && (
          <button type="button" onClick={targets.more}>
            {say('fields.showMore')}
          </button>
        )}
        <p class="buttons browse-foot">
          <button type="button" class="primary" disabled={chosen.size === 0} onClick={() => choose([...chosen.values()])}>
            {isMany && chosen.size > 0 ? say('fields.addChosen', { count: chosen.size }) : say('fields.choose')}
          </button>
          <button type="button" onClick={() => choose([])}>
            {say('shell.cancel')}
          </button>
        </p>
      </div>
    </Dialog>
  );
}
