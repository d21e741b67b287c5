/** The panels of the project beside the form of a document. */
import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OpenDocument } from '../document/open-document.ts';
import { me } from '../server/me.ts';
import { type Method, request } from '../server/request.ts';
import type { Mounted, Panel, ShownDocument } from './extension.ts';
import { panels } from './loaded.ts';

export function Panels({ opened }: { readonly opened: OpenDocument }) {
  const shown = panels.value.filter(({ types }) => types === undefined || types.includes(opened.type.uid));
  if (shown.length === 0) return null;
  return (
    <aside class="panels">
      {shown.map((panel) => (
        <section key={panel.panel} aria-label={panel.panel}>
          <h2>{panel.panel}</h2>
          <PanelBody panel={panel} opened={opened} />
        </section>
      ))}
    </aside>
  );
}

function PanelBody({ panel, opened }: { readonly panel: Panel; readonly opened: OpenDocument }) {
  const element = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted<Pick<ShownDocument, 'values'>>>();
  const values = () => Object.fromEntries(opened.attributes.map(({ name }) => [name, opened.valueOf(name).value]));
  useLayoutEffect(() => {
    if (element.current === null) return;
    mounted.current = panel.mount(element.current, {
      uid: opened.type.uid,
      documentId: opened.documentId.peek(),
      locale: opened.locale,
      values: values(),
      change: (name, value) => opened.change(name, value),
      fetch: askAsUser,
    });
    return () => mounted.current?.unmount?.();
  }, [panel, opened]);
  useSignalEffect(() => mounted.current?.update?.({ values: values() }));
  return <div ref={element} />;
}

async function askAsUser(method: Method, path: string, body?: unknown): Promise<unknown> {
  const answer = await request(method, `${me.value?.prefix}${path}`, body === undefined ? {} : { body });
  if (!answer.ok) throw new Error(answer.failure?.message);
  return answer.json;
}
