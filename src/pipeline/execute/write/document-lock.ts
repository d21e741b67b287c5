import type { ContentType } from '../../../model/content-model.ts';

/** What writers of one document take turns by. */
export const documentLock = ({ kind, table }: ContentType, documentId: string): string =>
  `document ${table} ${kind === 'singleType' ? '' : documentId}`;
