/** What became of each value in the `config/` of a Strapi project. */

export interface StrapiConfigFinding {
  /** Relative to the project: `config/api.ts`. */
  readonly file: string;
  readonly line: number;
  /** The position in the file's value: `rest.maxLimit`. */
  readonly path: string;
  /** `computed`: the value cannot be known without running the file, so the default applies. */
  readonly outcome: 'honoured' | 'computed' | 'notHonoured';
  /** The setting of Lectern that it is taken for: `api.maxLimit`. */
  readonly setting?: string;
  /** The value as text; absent if it may be a secret, or is not known. */
  readonly value?: string;
  /** A sentence for people: what applies instead, or what to do. */
  readonly note?: string;
}
