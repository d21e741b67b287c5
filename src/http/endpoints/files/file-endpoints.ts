/** Reads the files of the media library. */
import type { Policies } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Envelope } from '../../../pipeline/call.ts';
import { type Restriction, restrictionTo, together } from '../../../rights/restrictions.ts';
import { type Endpoint, type EndpointCall, parameter } from '../../send-response.ts';
import { answerRow, isRowIdText, rowIdOf } from '../rows.ts';
import { usesFolders } from './folder-endpoints.ts';

export function fileEndpoints(type: ContentType, answer: AnswerRead, { selectFileFields }: Policies) {
  const list =
    (envelope: Envelope): Endpoint =>
    ({ query: sent, actor, restriction: own, caller, dataVersion }) => {
      const { query, inFolder } = withoutFolder(sent);
      if (inFolder !== undefined && !usesFolders(actor)) throw ApiError.of('access.forbidden');
      const restriction = together([own, inFolder]);
      return answer({ type, target: { kind: 'list' }, query, actor, restriction, envelope, withIsUrlSigned: true, dataVersion }, caller);
    };
  const one = (query: string, call: EndpointCall) => {
    const key = parameter(call.request, 'id');
    return answerRow(answer, type, key, { ...call, query }, { by: isRowIdText(key) ? 'id' : 'documentId', withIsUrlSigned: true });
  };
  const file: Endpoint = async (call) => {
    const { query } = call;
    let outcome = await one(query, call);
    // As recorded: the entire query is checked, but only `populate` has an effect.
    const honoured = selectFileFields ? query : populateOf(query);
    if (outcome.status < 500 && outcome.status !== 400 && honoured !== query) outcome = await one(honoured, call);
    if (outcome.status === 404) throw ApiError.of('file.not-found');
    return outcome;
  };
  return { files: list('bare'), filesPage: list('flat'), file };
}

/** `folder=7` or `folder=root`, which is ours: in Strapi's API, files do not show their folder, and
 *  so cannot be filtered by it. A condition on rows, as those of restrictions, is not limited so. */
function withoutFolder(query: string): { readonly query: string; readonly inFolder: Restriction | undefined } {
  const folders = new URLSearchParams(query).getAll('folder');
  if (folders.length === 0) return { query, inFolder: undefined };
  const [folder = '', ...others] = folders;
  const id = rowIdOf(folder);
  if (others.length > 0 || (id === undefined && folder !== 'root'))
    throw ApiError.of('upload.body', { problem: 'folder must be the id of a folder, or root' });
  return {
    query: query
      .split('&')
      .filter((part) => !isFolder(part))
      .join('&'),
    inFolder: restrictionTo({ folder: { id: id === undefined ? { $null: 'true' } : { $eq: String(id) } } }),
  };
}

const isFolder = (part: string) => new URLSearchParams(part).has('folder');

const populateOf = (query: string) =>
  query
    .split('&')
    .filter((part) => /^populate(?:\[|%5B|=|$)/i.test(part))
    .join('&');
