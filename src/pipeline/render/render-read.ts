/** The last stage: rows become the JSON text of `{ data, meta }`. */
import type { Limits } from '../../config/config.ts';
import { type SignUrl, type UrlSigning, urlSigner } from '../../media/storage/url-signer.ts';
import type { CompiledRead } from '../compile/types.ts';
import type { ReadRows } from '../execute/types.ts';
import type { Pagination } from '../parse/types.ts';
import { signedWriter } from './file-urls.ts';
import { ByteBudget, makeWriter, type WriteEntry } from './writer.ts';

/** Returns the JSON text; undefined when one document was requested and does not exist. */
export type RenderRead = (found: ReadRows, pagination: Pagination) => string | undefined;

export interface Rendering {
  /** The size of the largest response. Bytes. */
  readonly responseBytes: number;
  /** Undefined if URLs of files are returned as they are stored. */
  readonly signUrl: SignUrl | undefined;
}

/** To be called once in each process that renders. */
export const renderingOf = ({ responseBytes }: Limits, signing: UrlSigning | undefined): Rendering => ({
  responseBytes,
  signUrl: signing === undefined ? undefined : urlSigner(signing),
});

/** Makes the renderer of a plan.
 *
 *  The row `[1, 'abc', 'Bread']` of `tags/abc?fields=name` gives `{"data":{"id":1,"documentId":"abc","name":"Bread"},"meta":{}}`. The renderer throws
 *  `limit.response-bytes` for a response that is too long. */
export function makeRenderer(read: CompiledRead, { responseBytes, signUrl }: Rendering): RenderRead {
  const last = read.withIsUrlSigned ? signedWriter(read.shape, signUrl) : undefined;
  const entry = makeWriter(read.shape, { v4: read.envelope === 'v4', signUrl }, last);
  return (found, pagination) => {
    const budget = new ByteBudget(responseBytes);
    const data = read.target === 'list' ? writeList(entry, found, budget) : writeOne(entry, found, budget);
    if (data === undefined) return undefined;
    const meta = read.target === 'list' ? writeListMeta(pagination, found.total) : '{}';
    const whole = read.envelope === 'bare' ? data : `{"data":${data},"meta":${meta}}`;
    budget.check(whole);
    return whole;
  };
}

function writeOne(entry: WriteEntry, found: ReadRows, budget: ByteBudget): string | undefined {
  const row = found.rows[0];
  return row === undefined ? undefined : entry(row, found.links, budget);
}

function writeList(entry: WriteEntry, found: ReadRows, budget: ByteBudget): string {
  let text = '';
  for (const row of found.rows) {
    const written = entry(row, found.links, budget);
    text += text === '' ? written : `,${written}`;
  }
  return `[${text}]`;
}

function writeListMeta(pagination: Pagination, total: number | undefined): string {
  switch (pagination.kind) {
    case 'none':
      return '{}';
    case 'page': {
      const { page, pageSize } = pagination;
      const count = total === undefined ? '' : `,"pageCount":${pageSize > 0 ? Math.ceil(total / pageSize) : 0},"total":${total}`;
      return `{"pagination":{"page":${JSON.stringify(page)},"pageSize":${pageSize}${count}}}`;
    }
    case 'offset': {
      const { start, limit } = pagination;
      // No limit is -1, as in Strapi.
      return `{"pagination":{"start":${JSON.stringify(start)},"limit":${limit < Number.MAX_SAFE_INTEGER ? limit : -1}${total === undefined ? '' : `,"total":${total}`}}}`;
    }
  }
}
