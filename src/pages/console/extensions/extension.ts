/** What a project adds to the console: modules of `lectern/console/`, each with a default export.
 *  `import type { FieldEditor, Panel } from 'lectern/console'` has their types. */

/** Edits the values of a custom field. */
export interface FieldEditor {
  /** As schema files name it: `plugin::color-picker.color`. */
  readonly customField: string;
  /** Fills the element. Called once for each field that is shown. */
  mount(element: HTMLElement, field: EditedField): Mounted<Pick<EditedField, 'value' | 'isReadOnly' | 'isInvalid'>>;
}

export interface EditedField {
  /** As the API returns it. */
  readonly value: unknown;
  readonly isReadOnly: boolean;
  /** Whether the page shows a problem with the value, for `aria-invalid`. */
  readonly isInvalid: boolean;
  /** The id that the control has to have, so that its label leads to it. */
  readonly id: string;
  /** For `aria-describedby`. */
  readonly describedBy: string | undefined;
  readonly attribute: { readonly name: string; readonly label: string; readonly required: boolean };
  change(value: unknown): void;
}

/** A part of the page beside the form of a document. */
export interface Panel {
  /** The heading. */
  readonly panel: string;
  /** The uids of the types that have it; without them, all do. */
  readonly types?: readonly string[];
  mount(element: HTMLElement, document: ShownDocument): Mounted<Pick<ShownDocument, 'values'>>;
}

export interface ShownDocument {
  readonly uid: string;
  /** Undefined until a new document is saved. */
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  /** By attribute, as they are in the form. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Changes a value in the form, as the user would. */
  change(attribute: string, value: unknown): void;
  /** A request as the signed-in user: `fetch('GET', '/articles?filters…')`, below the API's prefix.
   *  Resolves with the parsed body; rejects with an `Error` that has the server's message. */
  fetch(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
}

export interface Mounted<Shown> {
  /** What is shown has changed. */
  update?(shown: Shown): void;
  /** The element is about to be removed. */
  unmount?(): void;
}
