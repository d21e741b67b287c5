/** Decides the base types of custom fields. */
import type { Uid } from '../content-model.ts';
import type { Path } from '../schema-file/read-keys.ts';
import { CustomFieldCode } from './custom-field-code.ts';
import { ProjectFolder } from './project-folder.ts';
import type { SchemaProblems } from './schema-problems.ts';

/** Base types of common custom fields. A custom field is stored, read and written as its base type;
 *  the plugin only adds a widget to the panel. Only fields whose base type is certain are listed: a
 *  wrong one would misread values. The configuration key `customFields` adds others. */
const knownCustomFields: Readonly<Record<string, string>> = {
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::country-select.country': 'string',
  'plugin::multi-select.multi-select': 'json',
  'plugin::oembed.oembed': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::strapi-advanced-uuid.uuid': 'uid',
  'plugin::strapi-lucide-icons.icon': 'string',
  'plugin::tagsinput.tags': 'json',
  'plugin::tiptap-editor.RichText': 'text',
  'plugin::tinymce.tinymce': 'richtext',
  'plugin::video-field.video': 'json',
};

/** The type of a column in the database; undefined if there is no such column. */
export type ColumnTypes = (table: string, column: string) => string | undefined;

interface Use {
  readonly file: string;
  readonly path: Path;
  attributes: number;
}

export class CustomFields {
  readonly #configured: Readonly<Record<string, string>>;
  readonly #code: CustomFieldCode;
  readonly #columns: ColumnTypes | undefined;
  readonly #undecided = new Map<string, Use>();

  /** `columns` is undefined until the database has been read. */
  constructor(dir: string, configured: Readonly<Record<string, string>>, columns: ColumnTypes | undefined) {
    this.#configured = configured;
    this.#code = new CustomFieldCode(new ProjectFolder(dir));
    this.#columns = columns;
  }

  typeOf(uid: string): string | undefined {
    if (Object.hasOwn(this.#configured, uid)) return this.#configured[uid];
    return Object.hasOwn(knownCustomFields, uid) ? knownCustomFields[uid] : this.#code.typeOf(uid);
  }

  columnType(table: string, column: string): string | undefined {
    return this.#columns?.(table, column);
  }

  undecided(uid: string, { owner, name }: { readonly owner: { readonly uid: Uid; readonly source: string }; readonly name: string }): void {
    const use = this.#undecided.get(uid);
    if (use === undefined) this.#undecided.set(uid, { file: owner.source, path: ['attributes', name, 'customField'], attributes: 1 });
    else use.attributes += 1;
  }

  /** Whether the columns of the database could decide fields that are still undecided. */
  get needsColumns(): boolean {
    return this.#columns === undefined && this.#undecided.size > 0;
  }

  report(problems: SchemaProblems): void {
    const [first] = this.#undecided.values();
    if (first === undefined) return;
    const fields = [...this.#undecided].map(
      ([uid, { attributes }]) => JSON.stringify(uid) + (attributes === 1 ? '' : ` (${attributes} attributes)`),
    );
    const line = [...this.#undecided.keys()].map((uid) => `${JSON.stringify(uid)}: "string"`).join(', ');
    problems.report(
      first.file,
      first.path,
      `unknown custom field${fields.length === 1 ? '' : 's'} ${fields.join(', ')}, and no column in the database that shows the type`,
      `set the base type of each in lectern.config.json: "customFields": { ${line} }, with "text", "json", "integer" or another type of attribute where "string" is wrong`,
    );
  }
}
