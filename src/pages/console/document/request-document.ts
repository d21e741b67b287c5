/** Requests that are answered with a document. */
import type { DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { componentOf } from '../server/me.ts';
import { type Answer, type Method, type RequestOptions, request } from '../server/request.ts';
import { exactInJson } from './exact-values.ts';
import type { Values } from './values.ts';

interface Stored {
  readonly data: Values & { readonly documentId: string };
}

/** In JSON, numbers keep their digits. */
export async function requestDocument(type: DescribedType, method: Method, path: string, options: RequestOptions): Promise<Answer<Stored>> {
  const answer = await request<Stored>(method, path, { ...options, isExact: true });
  const data = answer.json?.data;
  if (data === undefined) return answer;
  return { ...answer, json: { data: { ...exactInJson(data, type.attributes, componentOf), documentId: data.documentId } } };
}
