/** One attribute in a form: its label, its control, what helps and what is wrong. */
import { memo } from 'preact/compat';
import type { DescribedAttribute } from '../server/me.ts';
import { say } from '../words/say.ts';
import { Control } from './control.tsx';
import { fieldId, type Path, useForm } from './form-context.ts';

interface Props {
  readonly attribute: DescribedAttribute;
  readonly value: unknown;
  readonly change: (name: string, value: unknown) => void;
  readonly path: Path;
  readonly isReadOnly: boolean;
}

/** Drawn again only when its own value changes: `change` is to be the same function each time, and
 *  paths are compared by what they say. */
export const Field = memo(FieldOnce, (before, after) => {
  const { path: former, ...rest } = before;
  const { path, ...others } = after;
  const isSamePath = former.length === path.length && former.every((step, index) => step === path[index]);
  return isSamePath && (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === others[name]);
});

/** Their controls have parts of their own, which a label cannot name. */
const groups: ReadonlySet<string> = new Set(['component', 'dynamiczone', 'relation', 'media']);

function FieldOnce({ attribute, value, change, path, isReadOnly }: Props) {
  const form = useForm();
  const id = fieldId(form, path);
  const own = form.problems.value.filter(
    (each) => each.path.length === path.length && each.path.every((step, at) => String(step) === String(path[at])),
  );
  const help = helpOf(attribute);
  const describedBy =
    [help === undefined ? '' : `${id}-help`, own.length === 0 ? '' : `${id}-problem`].filter(Boolean).join(' ') || undefined;
  const control = (
    <Control
      attribute={attribute}
      value={value}
      change={(next: unknown) => change(attribute.name, next)}
      id={id}
      describedBy={describedBy}
      isInvalid={own.length > 0}
      isReadOnly={isReadOnly}
      path={path}
    />
  );
  const label = (
    <>
      {attribute.label}
      {attribute.required && (
        <span class="required" title={say('field.required')}>
          {' *'}
        </span>
      )}
    </>
  );
  const rest = (
    <>
      {help !== undefined && (
        <p id={`${id}-help`} class="field-help soft">
          {help}
        </p>
      )}
      {own.length > 0 && (
        <p id={`${id}-problem`} class="field-problem problem">
          {own.map(({ message }) => message).join(' ')}
        </p>
      )}
    </>
  );
  const width = attribute.lectern?.width;
  const shape = `field ${typeof width === 'string' ? width : ''}`;
  if (groups.has(attribute.type))
    return (
      <fieldset class={shape}>
        <legend id={`${id}-label`}>{label}</legend>
        {control}
        {rest}
      </fieldset>
    );
  return (
    <div class={shape}>
      <label id={`${id}-label`} for={id}>
        {label}
      </label>
      {control}
      {rest}
    </div>
  );
}

function helpOf({ description, lectern }: DescribedAttribute): string | undefined {
  return typeof lectern?.help === 'string' ? lectern.help : description;
}
