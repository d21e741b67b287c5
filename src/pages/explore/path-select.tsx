/** Selects an attribute, through relations: each relation that is chosen opens a further list. */
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { attributeAt, attributesOf, targetOf } from './query.ts';

export function PathSelect(props: {
  readonly model: DescribedModel;
  readonly uid: string | undefined;
  readonly path: readonly string[];
  readonly label: string;
  /** Whether a path may end at a relation: it can be asked for entries without one. */
  readonly mayEndAtRelation: boolean;
  readonly onChange: (path: readonly string[]) => void;
}) {
  const { model, uid, path, label, mayEndAtRelation, onChange } = props;
  const levels = [...path.keys(), ...(targetOf(attributeAt(model, uid, path)) !== undefined || path.length === 0 ? [path.length] : [])];
  return (
    <>
      {levels.map((level) => {
        const schema = level === 0 ? uid : targetOf(attributeAt(model, uid, path.slice(0, level)));
        const attributes = attributesOf(model, schema).filter(
          (attribute) => attribute.kind === 'scalar' || ('target' in attribute && attribute.target !== undefined) || mayEndAtRelation,
        );
        const choose = (name: string) => onChange(name === '' ? path.slice(0, level) : [...path.slice(0, level), name]);
        return (
          <select
            key={level}
            aria-label={level === 0 ? `${label}: attribute` : `${label}: attribute of ${path[level - 1]}`}
            value={path[level] ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="">{level === 0 ? 'choose…' : mayEndAtRelation ? '(any)' : 'choose…'}</option>
            {attributes.map(({ name, kind }) => (
              <option key={name} value={name}>
                {kind === 'scalar' ? name : `${name} →`}
              </option>
            ))}
          </select>
        );
      })}
    </>
  );
}
