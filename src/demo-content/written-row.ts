/** A written row whose relations, media and components are not written yet. */
import type { Schema } from '../model/content-model.ts';
import type { SeedData } from './content.ts';
import type { RowStatus } from './row-index.ts';

export interface Owner {
  readonly schema: Schema;
  readonly id: number;
  /** The status of the document; a component has that of its entry. */
  readonly status: RowStatus;
  readonly locale: string | null;
  readonly data: SeedData;
  /** `api::article.article a-key (fr)`; equal for the draft and the published row. Names the row in messages. */
  readonly path: string;
}
