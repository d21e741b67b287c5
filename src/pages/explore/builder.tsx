/** The controls of a query. */
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { NodeEditor, Section } from './node-editor.tsx';
import { emptyQuery, isList, nameOf, type Query, rootOf } from './query.ts';
import { query as current, edit, locales } from './state.ts';

export function Builder({ model }: { readonly model: DescribedModel }) {
  const query = current.value;
  const root = rootOf(model, query.uid);
  const set = (change: Partial<Query>) => edit((before) => ({ ...before, ...change }));
  if (model.roots.length === 0)
    return (
      <p class="soft">There is no content type that you may read. Use a token or sign in (above), or make a type: npx lectern make type</p>
    );
  if (root === undefined) return <p class="soft">The controls cannot show this URL.</p>;
  const list = isList(root, query);
  const note = list ? '' : root.isSingle ? 'one document' : 'by documentId';
  return (
    <div class="builder">
      <Section title="Content" label="Content" note={note} parameter="">
        <div class="row">
          <label class="grow">
            <span class="soft">Type</span>
            <select aria-label="Type" value={query.uid} onChange={(event) => edit(() => emptyQuery(event.currentTarget.value))}>
              {model.roots.map(({ uid, path }) => (
                <option key={uid} value={uid}>
                  {nameOf(model, uid)} · {path}
                </option>
              ))}
            </select>
          </label>
          {!root.isSingle && root.mayFindOne && (
            <label class="grow">
              <span class="soft">documentId</span>
              <input
                value={query.documentId}
                placeholder="empty: the list"
                onInput={(event) => set({ documentId: event.currentTarget.value.trim() })}
              />
            </label>
          )}
        </div>
      </Section>
      <NodeEditor {...{ model, uid: query.uid, node: query.node, path: '', isMany: list }} onChange={(node) => set({ node })} />
      {list && (
        <Section title="Page" label="Page" note="" parameter="pagination">
          <div class="row">
            <Field label="Page" value={query.page} placeholder="1" isNumber onChange={(page) => set({ page })} />
            <Field label="Page size" value={query.pageSize} placeholder="25" isNumber onChange={(pageSize) => set({ pageSize })} />
            <Field label="Search (_q)" value={query.search} placeholder="" onChange={(search) => set({ search })} />
          </div>
        </Section>
      )}
      {(root.hasDrafts || query.status !== '') && (
        <Section title="Status" label="Status" note="" parameter="status">
          <Choice label="Status" value={query.status} options={['published', 'draft']} onChange={(status) => set({ status })} />
        </Section>
      )}
      {(root.hasLocales || query.locale !== '') && (
        <Section title="Locale" label="Locale" note="" parameter="locale">
          {locales.value.length > 0 ? (
            <Choice label="Locale" value={query.locale} options={[...locales.value, '*']} onChange={(locale) => set({ locale })} />
          ) : (
            <Field label="Locale" value={query.locale} placeholder="the default" onChange={(locale) => set({ locale })} />
          )}
        </Section>
      )}
      {(root.hasLocales || query.fallback !== '') && (
        <Section title="Fallback" label="Fallback" note="" parameter="fallback">
          <Field
            label="Locales in place of a missing one"
            value={query.fallback}
            placeholder="none"
            onChange={(fallback) => set({ fallback })}
          />
        </Section>
      )}
    </div>
  );
}

function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly isNumber?: boolean;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class="grow">
      <span class="soft">{props.label}</span>
      <input
        value={props.value}
        placeholder={props.placeholder}
        inputMode={props.isNumber === true ? 'numeric' : 'text'}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  const { label, value, options, onChange } = props;
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">the default</option>
      {(value === '' || options.includes(value) ? options : [...options, value]).map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
