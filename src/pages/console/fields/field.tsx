/** One attribute in a form: its label, its control, what helps and what is wrong. */
import { useComputed } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { DescribedAttribute } from '../server/me.ts';
import { say } from '../words/say.ts';
import { Control, hasParts, isGroup, isOwnGroup } from './control.tsx';
import { dropProblems, fieldId, isSamePath, type Path, useForm } from './form-context.ts';
import { memo } from './memo.ts';

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
  return isSamePath(former, path) && (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === others[name]);
});

function FieldOnce({ attribute, value, change, path, isReadOnly }: Props) {
  const form = useForm();
  const id = fieldId(form, path);
  const key = path.join('\n');
  // Only this text is subscribed to: other fields come and go with their problems.
  const problem = useComputed(() =>
    form.problems.value
      .filter((each) => each.path.join('\n') === key)
      .map(({ message }) => message)
      .join(' '),
  ).value;
  const changeOwn = useCallback(
    (next: unknown) => {
      if (!hasParts(attribute)) dropProblems(form, path);
      change(attribute.name, next);
    },
    [attribute, change, form, key],
  );
  const { label, description, lectern, required, customField } = attribute;
  const help = lectern?.help ?? description;
  const describedBy =
    [help === undefined ? '' : `${id}--help`, problem === '' ? '' : `${id}--problem`].filter(Boolean).join(' ') || undefined;
  const control = (
    <Control
      attribute={attribute}
      value={value}
      change={changeOwn}
      id={id}
      describedBy={describedBy}
      isInvalid={problem !== ''}
      isReadOnly={isReadOnly}
      path={path}
    />
  );
  // The server makes it.
  const isMade = attribute.type === 'uid' && attribute.targetField !== undefined && path.length === 1;
  const name = (
    <>
      {label}
      {required && !isMade && (
        // A control says by itself that it is required; a group cannot.
        <span class="required" title={say('field.required')} aria-hidden={!isGroup(attribute) && !isOwnGroup(attribute)}>
          {' *'}
        </span>
      )}
      {customField !== undefined && <span class="soft field-kind"> {customField.split('.').pop()}</span>}
    </>
  );
  const rest = (
    <>
      {help !== undefined && (
        <p id={`${id}--help`} class="field-help soft">
          {help}
        </p>
      )}
      {problem !== '' && (
        <p id={`${id}--problem`} class="field-problem problem">
          {problem}
        </p>
      )}
    </>
  );
  const shape = ['field', lectern?.width ?? 'full', problem === '' ? '' : 'is-wrong'].join(' ');
  if (isGroup(attribute))
    return (
      <fieldset class={shape}>
        <legend id={`${id}--label`}>{name}</legend>
        {control}
        {rest}
      </fieldset>
    );
  // A second group of the same name would only be announced twice.
  if (isOwnGroup(attribute))
    return (
      <div class={shape}>
        <span id={`${id}--label`} class="field-name">
          {name}
        </span>
        {control}
        {rest}
      </div>
    );
  return (
    <div class={shape}>
      <label id={`${id}--label`} for={id}>
        {name}
      </label>
      {control}
      {rest}
    </div>
  );
}
