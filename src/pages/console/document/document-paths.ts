/** Where a document is: in the API, and in the console. */
import { type DescribedType, pathNameOf } from '../server/me.ts';
import { hrefOf } from '../shell/location.ts';

export const apiPathOf = (type: DescribedType, documentId: string | undefined): string =>
  type.kind === 'singleType' || documentId === undefined ? type.path : `${type.path}/${encodeURIComponent(documentId)}`;

interface Where {
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  /** What tells new documents apart. */
  readonly draftName: string | undefined;
}

export function pageHrefOf(type: DescribedType, { documentId, locale, draftName }: Where): string {
  const path = ['content', pathNameOf(type)];
  const query = locale === undefined ? {} : { locale };
  if (type.kind === 'singleType') return hrefOf(path, query);
  if (documentId !== undefined) return hrefOf([...path, documentId], query);
  return hrefOf([...path, 'new'], { ...query, ...(draftName === undefined ? {} : { draft: draftName }) });
}
