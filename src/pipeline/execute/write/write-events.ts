/** The events of a write: one for each locale of the document that it changes. */
import type { DocumentEvent, EventCaller } from '../../../events/document-event.ts';
import { insertEvents } from '../../../events/event-store.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { Rows } from '../../../sql/rows.ts';
import { changedPaths } from '../../entry/changed-paths.ts';
import type { Entry } from '../../entry/entry.ts';
import type { WritePlan } from '../../plan/types.ts';

type Happened = Pick<DocumentEvent, 'type' | 'status' | 'isNew'>;
type LocaleEvent = Happened & Pick<DocumentEvent, 'paths'>;

/** An entry that is not written yet, and the stored one. */
interface EntryChange {
  readonly wanted: Entry;
  readonly current: Entry | undefined;
}

export class WriteEvents {
  readonly #caller: EventCaller | undefined;
  /** Whether anything needs to know what was changed. */
  readonly #isNoted: boolean;
  #documentId = '';
  readonly #byLocale = new Map<string | null, LocaleEvent>();
  /** Whether anything was changed. */
  hasChanged = false;

  constructor({ events, history }: Pick<WritePlan, 'events' | 'history'>) {
    this.#caller = events;
    this.#isNoted = events !== undefined || history !== undefined;
  }

  begin(documentId: string): void {
    this.#documentId = documentId;
  }

  /** What the public sees decides the type: a locale whose draft and published version are both
   *  changed has one event, `publish`. */
  add(locale: string | null, event: Happened, change?: EntryChange): void {
    this.hasChanged = true;
    if (!this.#isNoted) return;
    const other = this.#byLocale.get(locale);
    const { type, status } = other === undefined || event.type === 'publish' ? event : other;
    const paths = change === undefined ? [] : changedPaths(change.wanted, change.current);
    const all = new Set([...(other?.paths ?? []), ...paths]);
    this.#byLocale.set(locale, { type, status, isNew: event.isNew || other?.isNew === true, paths: [...all] });
  }

  /** What the write has changed in a locale. */
  in(locale: string | null): LocaleEvent | undefined {
    return this.#byLocale.get(locale);
  }

  /** Sends the rows, as part of the write's transaction. */
  store({ plan, type, rows }: WriteParts): void {
    if (this.#caller === undefined) return;
    const events = [...this.#byLocale].map(
      ([locale, event]): DocumentEvent => ({
        ...event,
        uid: type.uid,
        documentId: this.#documentId,
        locale: type.localized ? locale : null,
      }),
    );
    insertEvents(events, this.#caller, plan.now, rows);
  }
}

interface WriteParts {
  readonly plan: Pick<WritePlan, 'now'>;
  readonly type: ContentType;
  readonly rows: Rows;
}
