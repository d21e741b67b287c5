/** The documents that a relation links to, in their order. */

import { useRef, useState } from 'preact/hooks';
import type { LinkedDocument } from '../../document/values.ts';
import { type DescribedType, localeName, pathNameOf } from '../../server/me.ts';
import { hrefOf } from '../../shell/location.ts';
import { say } from '../../words/say.ts';
import { Icon } from '../icon.tsx';
import { memo } from '../memo.ts';
import { Grip, type Handlers, MoveButtons, useReorder } from '../reorder.tsx';
import { titleOf } from './targets.ts';

interface Props {
  readonly documents: readonly LinkedDocument[];
  readonly keyOf: (document: LinkedDocument) => string;
  readonly typeOf: (document: LinkedDocument) => DescribedType | undefined;
  /** Of the form: another one is said. */
  readonly locale: string | undefined;
  readonly isAnyType: boolean;
  readonly isReadOnly: boolean;
  /** The keys of those that have no published version. */
  readonly unpublished: ReadonlySet<string>;
  readonly remove: (key: string) => void;
  readonly move: (from: number, to: number) => void;
}

/** Further ones are drawn when they are asked for. */
const firstShown = 50;
const moreShown = 200;

export function LinkedList(props: Props) {
  const { documents, keyOf, typeOf, isReadOnly, move } = props;
  const [limit, setLimit] = useState(firstShown);
  const list = useRef<HTMLUListElement>(null);
  const latest = useRef(documents);
  latest.current = documents;
  const nameOf = (index: number) => {
    const document = latest.current[index];
    return document === undefined ? '' : titleOf(document, typeOf(document));
  };
  const reorder = useReorder({ list, move, count: () => latest.current.length, nameOf });
  const shown = documents.slice(0, limit);
  return (
    <>
      <ul ref={list} class="link-list">
        {shown.map((document, index) => {
          const key = keyOf(document);
          return (
            <Link
              key={key}
              document={document}
              linkKey={key}
              type={typeOf(document)}
              locale={props.locale}
              isAnyType={props.isAnyType}
              isReadOnly={isReadOnly}
              isUnpublished={props.unpublished.has(key)}
              index={index}
              count={documents.length}
              handlers={reorder.handlers}
              mark={reorder.markOf(index)}
              remove={props.remove}
            />
          );
        })}
      </ul>
      {documents.length > limit && (
        <p class="link-more">
          <span class="soft">{say('fields.shownOf', { shown: limit, total: documents.length })}</span>{' '}
          <button type="button" class="link" onClick={() => setLimit(limit + moreShown)}>
            {say('fields.showMore')}
          </button>
        </p>
      )}
      <p class="unseen" role="status">
        {reorder.announced}
      </p>
    </>
  );
}

interface LinkProps {
  readonly document: LinkedDocument;
  readonly linkKey: string;
  readonly type: DescribedType | undefined;
  readonly locale: string | undefined;
  readonly isAnyType: boolean;
  readonly isReadOnly: boolean;
  readonly isUnpublished: boolean;
  readonly index: number;
  readonly count: number;
  readonly handlers: Handlers;
  readonly mark: string;
  readonly remove: (key: string) => void;
}

const Link = memo(LinkOnce);

function LinkOnce({
  document,
  linkKey,
  type,
  locale,
  isAnyType,
  isReadOnly,
  isUnpublished,
  index,
  count,
  handlers,
  mark,
  remove,
}: LinkProps) {
  const title = titleOf(document, type);
  const hasPage = type?.uid.startsWith('api::') === true;
  const own = typeof document.locale === 'string' ? document.locale : undefined;
  return (
    <li class={['link-item', mark].filter(Boolean).join(' ')}>
      {!isReadOnly && count > 1 && <Grip handlers={handlers} index={index} count={count} name={title} />}
      <span class="link-title">
        {hasPage ? (
          <a
            href={hrefOf(
              type.kind === 'singleType' ? ['content', pathNameOf(type)] : ['content', pathNameOf(type), document.documentId],
              own === undefined ? {} : { locale: own },
            )}
            target="_blank"
            rel="noopener"
            title={say('fields.opensTab')}
            dir="auto"
          >
            {title}
          </a>
        ) : (
          <span dir="auto">{title}</span>
        )}
        {isAnyType && <span class="chip">{type?.label ?? document.__type}</span>}
        {own !== undefined && own !== locale && <span class="chip">{localeName(own)}</span>}
        {isUnpublished && (
          <span class="chip warn" title={say('fields.draftHint')}>
            {say('document.statusDraft')}
          </span>
        )}
      </span>
      {!isReadOnly && (
        <span class="entry-buttons">
          {count > 1 && <MoveButtons handlers={handlers} index={index} count={count} name={title} />}
          <button
            type="button"
            class="quiet"
            aria-label={say('fields.removeLink', { name: title })}
            title={say('fields.removeLink', { name: title })}
            onClick={() => remove(linkKey)}
          >
            <Icon name="remove" />
          </button>
        </span>
      )}
    </li>
  );
}
