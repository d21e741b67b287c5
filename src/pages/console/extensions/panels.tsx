/** The panels of the project beside the form of a document. */
import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OpenDocument } from '../document/open-document.ts';
import { me } from '../server/me.ts';
import { type Method, request } from '../server/request.ts';
import type { Mounted, Panel, ShownDocument } from './extension.ts';
import { guarded, panels } from './loaded.ts';

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
  const documentId = opened.documentId.value;
  const values = () => Object.fromEntries(opened.attributes.map(({ name }) => [name, opened.valueOf(name).value]));
  useLayoutEffect(() => {
    if (element.current === null) return;
    const host = element.current;
    const document = {
      uid: opened.type.uid,
      documentId,
      locale: opened.locale,
      values: values(),
      change: (name: string, value: unknown) => opened.change(name, value),
      fetch: askAsUser,
    };
    mounted.current = guarded(panel.panel, () => panel.mount(host, document));
    return () => {
      guarded(panel.panel, () => mounted.current?.unmount?.());
      host.replaceChildren();
    };
    // Mounted anew when a new document gets its id.
  }, [panel, opened, documentId]);
  useSignalEffect(() => {
    guarded(panel.panel, () => mounted.current?.update?.({ values: values() }));
  });
  return <div ref={element} />;
}

async function askAsUser(method: Method, path: string, body?: unknown): Promise<unknown> {
  const answer = await request(method, `${me.value?.prefix}${path}`, body === undefined ? {} : { body });
  if (!answer.ok) throw new Error(answer.failure?.message);
  return answer.json;
}
