/** What is read at one path: fields, relations, filters and sort. */
import type { ComponentChildren } from 'preact';
import type { DescribedAttribute, DescribedModel } from '../../http/site/explore/described-model.ts';
import { GroupEditor } from './filter-editor.tsx';
import { problemOf } from './problems.ts';
import { attributesOf, emptyNode, type Node, nameOf, type Populated, targetOf } from './query.ts';
import { SortEditor } from './sort-editor.tsx';

export interface NodeProps {
  readonly model: DescribedModel;
  /** Undefined where the entries have various types. */
  readonly uid: string | undefined;
  readonly node: Node;
  /** The path of the node: `author.avatar`; empty for the root. */
  readonly path: string;
  /** Whether there are several entries, which can be filtered and sorted. */
  readonly isMany: boolean;
  readonly onChange: (node: Node) => void;
}

export function NodeEditor({ model, uid, node, path, isMany, onChange }: NodeProps) {
  const attributes = attributesOf(model, uid);
  const scalars = attributes.filter(({ kind }) => kind === 'scalar');
  const others = attributes.filter(({ kind }) => kind !== 'scalar');
  const label = (word: string) => (path === '' ? word : `${path}: ${word.toLowerCase()}`);
  const isRoot = path === '';
  return (
    <>
      {scalars.length > 0 && (
        <Section
          title="Fields"
          label={label('Fields')}
          note={node.fields.length === 0 ? 'all' : `${node.fields.length}`}
          parameter={isRoot ? 'fields' : ''}
        >
          <div class="chips">
            {scalars.map(({ name }) => (
              <Chip
                key={name}
                name={name}
                isOn={node.fields.includes(name)}
                onChange={(isOn) =>
                  onChange({ ...node, fields: isOn ? [...node.fields, name] : node.fields.filter((field) => field !== name) })
                }
              />
            ))}
          </div>
        </Section>
      )}
      {others.length > 0 && (
        <Section
          title="Populate"
          label={label('Populate')}
          note={node.populateAll ? 'everything, one level' : node.populate.length === 0 ? 'nothing' : `${node.populate.length}`}
          parameter={isRoot ? 'populate' : ''}
        >
          <PopulateEditor {...{ model, node, path, attributes: others, onChange }} />
        </Section>
      )}
      {isMany && uid !== undefined && (
        <>
          <Section title="Filters" label={label('Filters')} note={count(node.filters.items.length)} parameter={isRoot ? 'filters' : ''}>
            <GroupEditor
              {...{ model, uid, group: node.filters, label: label('Filter') }}
              onChange={(filters) => onChange({ ...node, filters })}
            />
          </Section>
          <Section title="Sort" label={label('Sort')} note={count(node.sort.length)} parameter={isRoot ? 'sort' : ''}>
            <SortEditor {...{ model, uid, terms: node.sort, label: label('Sort') }} onChange={(sort) => onChange({ ...node, sort })} />
          </Section>
        </>
      )}
    </>
  );
}

const count = (number: number) => (number === 0 ? 'none' : `${number}`);

export function Section(props: {
  readonly title: string;
  readonly label: string;
  readonly note: string;
  /** The parameter whose errors are shown here. */
  readonly parameter: string;
  readonly children: ComponentChildren;
}) {
  const problem = props.parameter === '' ? undefined : problemOf(props.parameter);
  return (
    <section class="part" aria-label={props.label}>
      <h2>
        {props.title} <span class="soft">{props.note}</span>
      </h2>
      {props.children}
      {problem !== undefined && <p class="problem">{problem}</p>}
    </section>
  );
}

function Chip({ name, isOn, onChange }: { readonly name: string; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }) {
  return (
    <label class="chip">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{name}</span>
    </label>
  );
}

interface PopulateProps {
  readonly model: DescribedModel;
  readonly node: Node;
  readonly path: string;
  readonly attributes: readonly DescribedAttribute[];
  readonly onChange: (node: Node) => void;
}

function PopulateEditor({ model, node, path, attributes, onChange }: PopulateProps) {
  const choose = (name: string, isOn: boolean) => onChange({ ...node, populateAll: false, populate: chosen(node.populate, name, isOn) });
  return (
    <>
      <div class="chips">
        <Chip name="* everything" isOn={node.populateAll} onChange={(isOn) => onChange({ ...node, populateAll: isOn, populate: [] })} />
        {attributes.map(({ name }) => (
          <Chip key={name} name={name} isOn={node.populate.some((each) => each.name === name)} onChange={(isOn) => choose(name, isOn)} />
        ))}
      </div>
      {node.populate.map((populated) => {
        const attribute = attributes.find(({ name }) => name === populated.name);
        if (attribute === undefined) return null;
        const change = (inner: Node) => onChange({ ...node, populate: replaced(node.populate, populated.name, inner) });
        return <PopulatedEditor key={populated.name} {...{ model, attribute, populated, path, onChange: change }} />;
      })}
    </>
  );
}

const chosen = (all: readonly Populated[], name: string, isOn: boolean): readonly Populated[] =>
  isOn ? [...all, { name, node: emptyNode() }] : all.filter((each) => each.name !== name);

const replaced = (all: readonly Populated[], name: string, node: Node): readonly Populated[] =>
  all.map((each) => (each.name === name ? { name, node } : each));

function PopulatedEditor(props: {
  readonly model: DescribedModel;
  readonly attribute: DescribedAttribute;
  readonly populated: Populated;
  readonly path: string;
  readonly onChange: (node: Node) => void;
}) {
  const { model, attribute, populated, onChange } = props;
  const { name, node } = populated;
  const path = props.path === '' ? name : `${props.path}.${name}`;
  const target = targetOf(attribute);
  if (attribute.kind === 'dynamiczone') return <ZoneEditor {...{ model, node, path, components: attribute.components, onChange }} />;
  if (target === undefined || attribute.kind === 'scalar') return null;
  return (
    <details class="inner" open={isUsed(node)}>
      <summary>
        {name} <span class="soft">{nameOf(model, target)}</span>
      </summary>
      <NodeEditor {...{ model, uid: target, node, path, isMany: attribute.isMany && attribute.kind !== 'component', onChange }} />
    </details>
  );
}

const isUsed = ({ fields, populateAll, populate, on, filters, sort }: Node): boolean =>
  populateAll || [fields, populate, on, filters.items, sort].some((list) => list.length > 0);

/** A dynamic zone: with all its components, or with some of them as far as they are chosen. */
function ZoneEditor(props: {
  readonly model: DescribedModel;
  readonly node: Node;
  readonly path: string;
  readonly components: readonly string[];
  readonly onChange: (node: Node) => void;
}) {
  const { model, node, path, components, onChange } = props;
  return (
    <details class="inner" open={isUsed(node)}>
      <summary>
        {path.split('.').at(-1)} <span class="soft">dynamic zone</span>
      </summary>
      <fieldset class="chips" aria-label={`${path}: components`}>
        <Chip name="* everything in them" isOn={node.populateAll} onChange={(isOn) => onChange({ ...emptyNode(), populateAll: isOn })} />
        {components.map((uid) => (
          <Chip
            key={uid}
            name={uid}
            isOn={node.on.some(({ name }) => name === uid)}
            onChange={(isOn) => onChange({ ...node, populateAll: false, on: chosen(node.on, uid, isOn) })}
          />
        ))}
      </fieldset>
      {node.on.map(({ name, node: inner }) => (
        <details key={name} class="inner" open={isUsed(inner)}>
          <summary>{name}</summary>
          <NodeEditor
            {...{ model, uid: name, node: inner, path: `${path}.${name}`, isMany: false }}
            onChange={(changed) => onChange({ ...node, on: replaced(node.on, name, changed) })}
          />
        </details>
      ))}
    </details>
  );
}
