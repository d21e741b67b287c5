/** A uid: made from another attribute as the server would, with a look whether it is free. */
import { useEffect, useState } from 'preact/hooks';
import { pathNameOf, typeOf } from '../../server/me.ts';
import { request } from '../../server/request.ts';
import { hrefOf } from '../../shell/location.ts';
import { notifyFailure } from '../../shell/notices.tsx';
import { say } from '../../words/say.ts';
import { type ControlProps, wiringOf } from '../control-props.ts';
import { useForm } from '../form-context.ts';
import { type Holder, holderOf, takenOf, type UidScope } from './uid-look-up.ts';

export function UidControl(props: ControlProps) {
  const { attribute, value, change, isReadOnly, path, id } = props;
  const form = useForm();
  const type = typeOf(form.uid);
  const text = typeof value === 'string' ? value : '';
  const source = type?.attributes.find(({ name }) => name === attribute.targetField);
  // Those of components are not made by the server either.
  const isTop = path.length === 1;
  const canMake = isTop && source !== undefined && !isReadOnly;
  const scope: UidScope | undefined =
    isTop && type?.kind === 'collectionType' && attribute.canRead
      ? { type, attribute, documentId: form.documentId.value, locale: form.locale, isDraft: form.isDraft }
      : undefined;
  const isChanged = text !== '' && text !== useInitial(text, form.documentId.value);
  const make = async () => {
    const written = String(form.valueOf(source?.name ?? '') ?? '').trim();
    if (written === '') return;
    const { freeUid } = await import('./free-uid.ts');
    change(await freeUid(written, { attribute, fallback: type?.singularName ?? attribute.name, isTaken: (each) => takenIn(scope, each) }));
  };
  return (
    <>
      <span class="field-row">
        <input
          {...wiringOf(props)}
          aria-describedby={[props.describedBy, `${id}--free`].filter(Boolean).join(' ')}
          dir="auto"
          autoComplete="off"
          autocapitalize="off"
          spellcheck={false}
          readOnly={isReadOnly}
          aria-required={attribute.required && !canMake ? true : undefined}
          placeholder={attribute.lectern?.placeholder ?? (canMake ? say('fields.uidMade', { label: source.label }) : undefined)}
          value={text}
          onInput={({ currentTarget }) => change(currentTarget.value === '' ? null : currentTarget.value)}
        />
        {canMake && (
          <button type="button" onClick={() => void make()}>
            {say('fields.makeFrom', { label: source.label })}
          </button>
        )}
      </span>
      <span id={`${id}--free`} class="uid-free soft" role="status">
        {scope !== undefined && isChanged && !isReadOnly && <Free scope={scope} text={text} />}
      </span>
    </>
  );
}

/** The value that is stored need not be looked up. */
function useInitial(text: string, documentId: string | undefined): string {
  const [initial] = useState(documentId === undefined ? '' : text);
  return initial;
}

async function takenIn(scope: UidScope | undefined, candidates: readonly string[]): Promise<ReadonlySet<string>> {
  if (scope === undefined) return new Set();
  const { query, path } = takenOf(scope, candidates);
  const answer = await request<{ readonly data: readonly Readonly<Record<string, unknown>>[] }>('GET', path, { query });
  if (!answer.ok) notifyFailure(answer.failure);
  return new Set(answer.json?.data.map((each) => String(each[scope.attribute.name])));
}

const typingPause = 400;

function Free({ scope, text }: { readonly scope: UidScope; readonly text: string }) {
  const [found, setFound] = useState<{ readonly text: string; readonly holder: Holder | undefined }>();
  useEffect(() => {
    const aborting = new AbortController();
    const look = async () => {
      const { query, path } = holderOf(scope, text);
      const { signal } = aborting;
      const answer = await request<{ readonly data: readonly Holder[] }>('GET', path, { query, signal }).catch(() => undefined);
      if (answer?.ok === true) setFound({ text, holder: answer.json?.data[0] });
    };
    const timer = setTimeout(() => void look(), typingPause);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [text, scope.documentId]);
  if (found?.text !== text) return null;
  const { holder } = found;
  if (holder === undefined) return <>{say('fields.uidFree')}</>;
  const title = String(holder[scope.type.title ?? 'documentId'] ?? holder.documentId);
  const query = scope.locale === undefined ? {} : { locale: scope.locale };
  return (
    <span class="problem">
      {say('fields.uidTaken')}{' '}
      <a href={hrefOf(['content', pathNameOf(scope.type), holder.documentId], query)} target="_blank" rel="noopener" dir="auto">
        {title}
      </a>
    </span>
  );
}
