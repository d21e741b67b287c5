/** Links to other documents: found by a search, chosen from a list, or made in place. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { linkKey } from '../../document/links.ts';
import { isRecord, type LinkedDocument, listOf } from '../../document/values.ts';
import { type DescribedType, defaultLocale, editableTypes, may, typeOf } from '../../server/me.ts';
import { say } from '../../words/say.ts';
import type { ControlProps } from '../control-props.ts';
import { useForm } from '../form-context.ts';
import { moved } from '../reorder.tsx';
import { BrowseDrawer } from './browse-drawer.tsx';
import { LinkedList } from './linked-list.tsx';
import { TargetCombobox } from './target-combobox.tsx';
import { titleOf } from './targets.ts';
import { useUnpublished } from './use-unpublished.ts';

export function RelationField(props: ControlProps) {
  const { attribute, value, change, id, describedBy, isInvalid, isReadOnly } = props;
  const form = useForm();
  const isMany = attribute.isMany === true;
  const isAnyType = attribute.target === undefined;
  const documents = useMemo((): readonly LinkedDocument[] => (isMany ? listOf(value) : [value]).filter(isDocument), [value]);
  const latest = useRef(documents);
  latest.current = documents;
  const put = (next: readonly LinkedDocument[]) => {
    latest.current = next;
    change(isMany ? next : (next[0] ?? null));
  };
  const keyOf = (document: LinkedDocument) => linkKey(document, attribute);
  const targetOf = (document: LinkedDocument) => typeOf(attribute.target ?? document.__type);
  const add = (added: readonly LinkedDocument[], type: DescribedType) => {
    const typed = isAnyType ? added.map((each) => ({ ...each, __type: type.uid })) : added;
    if (!isMany) return put(typed.slice(-1));
    const linked = new Set(latest.current.map(keyOf));
    put([...latest.current, ...typed.filter((each) => !linked.has(keyOf(each)))]);
  };
  const stable = useRef({ keyOf, targetOf, put });
  stable.current = { keyOf, targetOf, put };
  const operations = useMemo(
    () => ({
      remove: (key: string) => stable.current.put(latest.current.filter((each) => stable.current.keyOf(each) !== key)),
      move: (from: number, to: number) => stable.current.put(moved(latest.current, from, to)),
    }),
    [],
  );
  const unpublished = useUnpublished(
    form.isDraft ? documents.map((document) => ({ document, key: keyOf(document), type: targetOf(document) })) : [],
    form.locale,
  );
  // Of a relation with so many links that the server does not send them.
  const count = isRecord(value) && typeof value.count === 'number' ? value.count : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: its label stands outside of it.
    <div
      id={id}
      class="links"
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}--label`}
      aria-describedby={describedBy}
      data-invalid={isInvalid}
    >
      {count !== undefined && <p class="soft">{say('fields.tooManyLinks', { count })}</p>}
      {documents.length > 0 && (
        <LinkedList
          documents={documents}
          keyOf={keyOf}
          typeOf={targetOf}
          locale={form.locale}
          isAnyType={isAnyType}
          isReadOnly={isReadOnly}
          unpublished={unpublished}
          remove={operations.remove}
          move={operations.move}
        />
      )}
      {documents.length === 0 && isReadOnly && count === undefined && <p class="soft">{say('fields.none')}</p>}
      {!isReadOnly && count === undefined && <Adder props={props} documents={documents} keyOf={keyOf} add={add} />}
    </div>
  );
}

const isDocument = (value: unknown): value is LinkedDocument => isRecord(value) && typeof value.documentId === 'string';

interface AdderProps {
  readonly props: ControlProps;
  readonly documents: readonly LinkedDocument[];
  readonly keyOf: (document: LinkedDocument) => string;
  readonly add: (added: readonly LinkedDocument[], type: DescribedType) => void;
}

function Adder({ props, documents, keyOf, add }: AdderProps) {
  const { attribute, id, describedBy } = props;
  const form = useForm();
  const [chosenUid, choose] = useState<string>();
  const [isBrowsing, browse] = useState(false);
  const [announced, announce] = useState('');
  const types = attribute.target === undefined ? editableTypes.value.filter((type) => may(type, 'find')) : [];
  const type = typeOf(attribute.target ?? chosenUid ?? types[0]?.uid);
  if (type === undefined || !may(type, 'find')) return <p class="soft">{say('fields.noTarget')}</p>;
  const isMany = attribute.isMany === true;
  const locale = type.localized ? (form.locale ?? defaultLocale()) : undefined;
  const linked = new Set(documents.map(keyOf));
  const isLinked = (document: LinkedDocument) =>
    linked.has(keyOf(attribute.target === undefined ? { ...document, __type: type.uid } : document));
  const link = (added: readonly LinkedDocument[]) => {
    add(added, type);
    announce(say('fields.linkedNow', { name: added.map((each) => titleOf(each, type)).join(', ') }));
  };
  const { create } = form;
  const make = async (title: string) => {
    const made = await create?.(type, { title, locale });
    if (made !== undefined) link([made]);
  };
  return (
    <div class="link-add">
      {types.length > 0 && (
        <select
          class="link-type"
          aria-label={say('fields.typeOf', { label: attribute.label })}
          value={type.uid}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {types.map(({ uid, label }) => (
            <option key={uid} value={uid}>
              {label}
            </option>
          ))}
        </select>
      )}
      <TargetCombobox
        key={type.uid}
        type={type}
        locale={locale}
        isDraft={form.isDraft}
        label={say('fields.search', { label: attribute.label })}
        placeholder={say(isMany || documents.length === 0 ? 'fields.searchType' : 'fields.searchToReplace', { type: type.label })}
        describedBy={describedBy}
        isLinked={isLinked}
        choose={(document) => link([document])}
        create={create !== undefined && may(type, 'create') ? (title) => void make(title) : undefined}
      />
      <button type="button" aria-label={`${say('fields.browse')} – ${attribute.label}`} onClick={() => browse(true)}>
        {say('fields.browse')}
      </button>
      {isBrowsing && (
        <BrowseDrawer
          type={type}
          label={attribute.label}
          locale={locale}
          hasLocales={type.localized && form.locale === undefined}
          isDraft={form.isDraft}
          isMany={isMany}
          isLinked={isLinked}
          choose={(added) => {
            browse(false);
            if (added.length > 0) link(added);
          }}
        />
      )}
      <p class="unseen" role="status" id={`${id}--added`}>
        {announced}
      </p>
    </div>
  );
}
