/** The fields of an open document, in its page or in a drawer. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import '../fields/all-controls.ts';
import { Field } from '../fields/field.tsx';
import { type CreateDocument, type Form, FormContext, fieldId, type Path } from '../fields/form-context.ts';
import type { DescribedAttribute } from '../server/me.ts';
import { BesideField, type OtherLocale } from './beside.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { groupsOf } from './groups.ts';
import type { OpenDocument } from './open-document.ts';
import { ProblemList } from './problem-list.tsx';
import { WorkNotices } from './work-notices.tsx';

interface Props {
  readonly opened: OpenDocument;
  /** Tells the ids of the fields of several forms in one page apart. */
  readonly name?: string;
  readonly create?: CreateDocument;
  /** The field to show and to focus. */
  readonly revealed?: Signal<Path | undefined>;
  readonly beside?: Signal<OtherLocale | undefined> | undefined;
}

export function DocumentFields({ opened, name = 'field', create, beside, revealed: given }: Props) {
  const { type } = opened;
  const own = useSignal<Path | undefined>(undefined);
  const revealed = given ?? own;
  const form = useMemo(
    (): Form => ({
      name,
      uid: type.uid,
      documentId: opened.documentId,
      locale: opened.locale,
      isDraft: opened.isDraft,
      problems: opened.problems,
      revealed,
      valueOf: (attribute) => opened.valueOf(attribute).value,
      create,
    }),
    [opened],
  );
  useSignalEffect(() => {
    const path = revealed.value;
    // After whatever is folded has opened.
    if (path !== undefined) setTimeout(() => focusField(form, path));
  });
  const reveal = (path: Path) => {
    // A copy: the same field is shown again.
    revealed.value = [...path];
  };
  return (
    <FormContext.Provider value={form}>
      <WorkNotices opened={opened} />
      <ProblemList problems={opened.problems} attributes={opened.attributes} reveal={reveal} />
      {groupsOf(type, opened.attributes).map(({ name: group, label, attributes }) => (
        <section key={group} class="fields" aria-label={label}>
          {label !== undefined && <h2>{label}</h2>}
          {attributes.map((attribute) => (
            <TopField key={attribute.name} opened={opened} attribute={attribute} beside={beside} />
          ))}
        </section>
      ))}
      <ConflictDialog opened={opened} />
    </FormContext.Provider>
  );
}

/** Subscribes to one value, so that typing into one field draws no other. */
function TopField({ opened, attribute, beside }: Pick<Props, 'opened' | 'beside'> & { readonly attribute: DescribedAttribute }) {
  const change = useMemo(() => (name: string, value: unknown) => opened.change(name, value), [opened]);
  const path = useMemo(() => [attribute.name], [attribute]);
  const value = opened.valueOf(attribute.name).value;
  const field = <Field attribute={attribute} value={value} change={change} path={path} isReadOnly={!opened.mayWrite(attribute)} />;
  if (beside === undefined || !opened.type.localized || !attribute.localized) return field;
  // Around the field also while it is alone: moved into another element, an editor would start anew.
  return (
    <div class="field-pair">
      {field}
      <BesideField opened={opened} attribute={attribute} beside={beside} />
    </div>
  );
}

function focusField(form: Form, path: Path): void {
  for (let length = path.length; length > 0; length -= 1) {
    const element = document.getElementById(fieldId(form, path.slice(0, length)));
    if (element === null) continue;
    element.scrollIntoView({ block: 'center' });
    element.focus();
    return;
  }
}
