import type { ScalarType, Schema } from './content-model.ts';

const titleTypes: readonly ScalarType[] = ['string', 'text', 'uid', 'email'];

/** Returns the attribute that stands for a document of the type: the one that the schema names, or
 *  the first text. `readable`: attributes of the project that the caller may read. */
export function titleAttribute<A extends { readonly name: string; readonly type: string }>(
  { lectern }: Schema,
  readable: readonly A[],
): A | undefined {
  const named = readable.find(({ name }) => name === lectern?.title);
  if (named !== undefined) return named;
  for (const type of titleTypes) {
    const found = readable.find((attribute) => attribute.type === type);
    if (found !== undefined) return found;
  }
  return undefined;
}
