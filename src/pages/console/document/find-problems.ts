import { me } from '../server/me.ts';
import { type FieldProblem, request } from '../server/request.ts';
import type { Values } from './values.ts';

/** What stands in the way of publishing a document with these values. */
export async function findProblems(
  uid: string,
  documentId: string | undefined,
  locale: string | undefined,
  data: Values,
): Promise<readonly FieldProblem[]> {
  const scope = new URLSearchParams({ status: 'published', ...(locale === undefined ? {} : { locale }) });
  const answer = await request<{ readonly data: { readonly errors: readonly FieldProblem[] } }>(
    'POST',
    `${me.value?.prefix}/_validate/${uid}`,
    {
      query: scope.toString(),
      body: { documentId: documentId ?? null, data },
    },
  );
  return answer.json?.data.errors ?? [];
}
