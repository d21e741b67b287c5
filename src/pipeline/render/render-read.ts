/** The last stage: rows become the JSON text of `{ data, meta }`, in UTF-8. */
import type { Limits } from '../../config/config.ts';
import { type SignUrl, type UrlSigning, urlSigner } from '../../media/storage/url-signer.ts';
import { Turns } from '../../turns.ts';
import type { CompiledRead } from '../compile/types.ts';
import type { ReadRows } from '../execute/types.ts';
import type { Pagination } from '../parse/types.ts';
import { signedColumn } from './file-urls.ts';
import { JsonOutput } from './json-output.ts';
import { writeGroups } from './render-groups.ts';
import { makeWriter, type WriteEntry, writeEntries } from './writer.ts';

/** Returns the JSON text in UTF-8, in memory of its own; undefined when one document was requested
 *  and does not exist. A long list is rendered in turns. */
export type RenderRead = (found: ReadRows, pagination: Pagination) => Promise<Uint8Array<ArrayBuffer> | undefined>;

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
 *  The row `[1, 'abc', 'Bread']` of `tags/abc?fields=name` gives
 *  `{"data":{"id":1,"documentId":"abc","name":"Bread"},"meta":{}}`. The renderer throws
 *  `limit.response-bytes` for a response that is too long. */
export function makeRenderer(read: CompiledRead, { responseBytes, signUrl }: Rendering): RenderRead {
  const last = read.withIsUrlSigned ? signedColumn(read.shape, signUrl) : undefined;
  const entry = makeWriter(read.shape, { v4: read.envelope === 'v4', signUrl }, last);
  const isBare = read.envelope === 'bare';
  const isList = read.target === 'list';
  return async (found, pagination) => {
    if (!isList && found.rows.length === 0) return undefined;
    const output = new JsonOutput(responseBytes);
    if (read.groups !== undefined && pagination.kind === 'groups') {
      writeGroups(found.rows, read.groups, pagination, output);
      return output.take();
    }
    if (!isBare) output.json('{"data":');
    if (isList) await writeList(found, entry, output);
    else writeEntries(found.rows, 'one', output, (row) => entry(row, found.links, output));
    if (!isBare) output.json(`,"meta":${isList ? metaOf(pagination, found) : '{}'}}`);
    return output.take();
  };
}

/** In turns, since a list may have tens of megabytes. */
async function writeList({ rows, links }: ReadRows, write: WriteEntry, output: JsonOutput): Promise<void> {
  const turns = new Turns();
  let before = '[';
  for (const row of rows) {
    output.json(before);
    write(row, links, output);
    before = ',';
    if (turns.isOver()) await turns.next();
  }
  output.json(before === '[' ? '[]' : ']');
}

function metaOf(pagination: Pagination, { total, isEstimate = false, next = null }: ReadRows): string {
  const estimate = isEstimate ? ',"isEstimate":true' : '';
  switch (pagination.kind) {
    case 'none':
    case 'groups':
      return '{}';
    case 'cursor':
      return `{"pagination":{"limit":${pagination.limit - 1},"next":${JSON.stringify(next)}}}`;
    case 'page': {
      const { page, pageSize } = pagination;
      const count = total === undefined ? '' : `,"pageCount":${pageSize > 0 ? Math.ceil(total / pageSize) : 0},"total":${total}${estimate}`;
      return `{"pagination":{"page":${JSON.stringify(page)},"pageSize":${pageSize}${count}}}`;
    }
    case 'offset': {
      const { start, limit } = pagination;
      // No limit is -1, as in Strapi.
      return `{"pagination":{"start":${JSON.stringify(start)},"limit":${limit < Number.MAX_SAFE_INTEGER ? limit : -1}${total === undefined ? '' : `,"total":${total}${estimate}`}}}`;
    }
  }
}
