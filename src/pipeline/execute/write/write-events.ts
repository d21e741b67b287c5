/** The events of a write: one for each locale of the document that it changes. */
import type { DocumentEvent } from '../../../events/document-event.ts';
import { insertEvents } from '../../../events/event-store.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { Rows } from '../../../sql/rows.ts';
import type { WritePlan } from '../../plan/types.ts';

export type LocaleEvent = Pick<DocumentEvent, 'type' | 'status' | 'isNew' | 'paths'>;

export class WriteEvents {
  #documentId = '';
  readonly #byLocale = new Map<string | null, LocaleEvent>();

  begin(documentId: string): void {
    this.#documentId = documentId;
  }

  /** What the public sees decides the type: a locale whose draft and published version are both
   *  changed has one event, `publish`. */
  add(locale: string | null, event: LocaleEvent): void {
    const other = this.#byLocale.get(locale);
    if (other === undefined) {
      this.#byLocale.set(locale, event);
      return;
    }
    const { type, status } = event.type === 'publish' ? event : other;
    const paths = [...new Set([...other.paths, ...event.paths])];
    this.#byLocale.set(locale, { type, status, isNew: other.isNew || event.isNew, paths });
  }

  /** Sends the rows, as part of the write's transaction. */
  store({ plan, type, rows }: WriteParts): void {
    if (plan.events === undefined) return;
    const events = [...this.#byLocale].map(
      ([locale, event]): DocumentEvent => ({
        ...event,
        uid: type.uid,
        documentId: this.#documentId,
        locale: type.localized ? locale : null,
      }),
    );
    insertEvents(events, plan.events, plan.now, rows);
  }
}

interface WriteParts {
  readonly plan: Pick<WritePlan, 'events' | 'now'>;
  readonly type: ContentType;
  readonly rows: Rows;
}
