import type { ContentType } from '../../../model/content-model.ts';

/** Returns the name of the lock that writers of one document take. */
export const documentLock = ({ kind, table }: ContentType, documentId: string): string =>
  `document ${table} ${kind === 'singleType' ? '' : documentId}`;
