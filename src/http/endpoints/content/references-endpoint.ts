/** `GET /api/articles/:documentId/references`: how many entries link a document, by type and
 *  attribute. Each number is the total of a list with a filter, so it has what the caller may read. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { fileUid } from '../../../model/built-in-types.ts';
import type { Attribute, ContentModel, ContentType, Schema } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { Visible } from '../../../rights/visible.ts';
import { digestOf } from '../../../text/digest.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { isRowIdText } from '../rows.ts';
import { askList, fewAtATime, isRefused, onlyCounted, readsDrafts, respondingUnread, Unread } from './ask-list.ts';
import { type ReferencePath, referencePaths } from './reference-paths.ts';
import { refuseVisitors } from './refuse-visitors.ts';

export interface ReferencesParts {
  readonly answer: AnswerRead;
  readonly model: ContentModel;
  readonly config: Config;
}

interface Reference {
  readonly uid: string;
  /** With the components on the way: `seo.image`, `blocks.shared.media.file`. */
  readonly attribute: string;
  readonly count: number;
  /** Which versions were counted; null for types without drafts. */
  readonly status: 'draft' | 'published' | null;
}

/** At most this many attributes are asked for one response: too many for visitors to ask. */
const maxAsked = 200;

export function referencesEndpoint(type: ContentType, parts: ReferencesParts): Endpoint {
  const paths = lazily(() => referencePaths(parts.model, type.uid));
  const isSingle = type.kind === 'singleType';
  return respondingUnread(async (call) => {
    refuseVisitors(call);
    const documentId = isSingle ? undefined : parameter(call.request, 'documentId');
    if (documentId?.includes('\0')) throw ApiError.of('path.malicious');
    const filter = documentId === undefined ? [] : [`filters[documentId][$eq]=${encodeURIComponent(documentId)}`];
    const seesDrafts = readsDrafts(type, call.actor.rights, parts.config);
    for (const status of seesDrafts ? ['draft', 'published'] : ['published']) {
      const query = [...filter, `status=${status}`, ...(type.localized ? ['locale=*'] : []), ...onlyCounted];
      const found = await askList(parts.answer, { type, restriction: call.restriction, query }, call);
      if (!found.ok) throw new Unread(found.outcome);
      const [row] = found.rows;
      if (row !== undefined) return references({ type, by: 'documentId', key: String(row.documentId), paths: paths(), call }, parts);
    }
    throw ApiError.of('document.not-found');
  });
}

/** `GET /api/upload/files/:id/references` */
export function fileReferencesEndpoint(type: ContentType, parts: ReferencesParts): Endpoint {
  const paths = lazily(() => referencePaths(parts.model, fileUid));
  return respondingUnread(async (call) => {
    refuseVisitors(call);
    const key = parameter(call.request, 'id');
    if (key.includes('\0')) throw ApiError.of('path.malicious');
    const by = isRowIdText(key) ? 'id' : 'documentId';
    const query = [`filters[${by}][$eq]=${encodeURIComponent(key)}`, ...onlyCounted];
    const found = await askList(parts.answer, { type, restriction: call.restriction, query }, call);
    if (!found.ok) throw new Unread(found.outcome);
    const [row] = found.rows;
    if (row === undefined) throw ApiError.of('file.not-found');
    return references({ type, by: 'id', key: String(row.id), paths: paths(), call }, parts);
  });
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface Wanted {
  readonly type: ContentType;
  readonly by: 'documentId' | 'id';
  readonly key: string;
  readonly paths: readonly ReferencePath[];
  readonly call: EndpointCall;
}

async function references({ type, by, key, paths, call }: Wanted, { answer, model, config }: ReferencesParts): Promise<EndpointResponse> {
  const { rights } = call.actor;
  const sees = seesOf(new Visible(model, config, rights));
  const visible = paths.filter(({ source, steps }) => rights.allows(`${source.uid}.find`) && steps.every(sees));
  const askable = visible.filter(({ canFilter }) => canFilter);
  const targetDrafts = !type.draftAndPublish || readsDrafts(type, rights, config);
  const counted = await fewAtATime(askable.slice(0, maxAsked), async (path) => {
    const { source, keys } = path;
    const status = !source.draftAndPublish ? null : readsDrafts(source, rights, config) && targetDrafts ? 'draft' : 'published';
    // A type without drafts links drafts, too.
    const asked = status ?? (type.draftAndPublish && targetDrafts ? 'draft' : 'published');
    const filter = `filters${[...keys, by, '$eq'].map((part) => `[${part}]`).join('')}=${encodeURIComponent(key)}`;
    const query = [filter, `status=${asked}`, ...(source.localized ? ['locale=*'] : []), ...onlyCounted];
    const list = await askList(answer, { type: source, restriction: rights.restriction(`${source.uid}.find`), query }, call);
    if (!list.ok && !isRefused(list.outcome)) throw new Unread(list.outcome);
    return { uid: source.uid, attribute: nameOf(path), count: list.ok ? list.total : 0, status } satisfies Reference;
  });
  const notAsked = [...visible.filter(({ canFilter }) => !canFilter), ...askable.slice(maxAsked)];
  const body = JSON.stringify({
    data: counted.filter(({ count }) => count > 0),
    meta: { notCounted: notAsked.map((path) => ({ uid: path.source.uid, attribute: nameOf(path) })) },
  });
  return { status: 200, body, digest: digestOf(body) };
}

const nameOf = ({ keys }: ReferencePath): string => keys.filter((key) => key !== 'on').join('.');

/** Whether the caller may read the attributes of a path. */
function seesOf(visible: Visible) {
  const known = new Map<Schema, ReadonlySet<Attribute>>();
  return ({ schema, attribute }: { readonly schema: Schema; readonly attribute: Attribute }): boolean => {
    const attributes = known.get(schema) ?? new Set(visible.attributes(schema));
    known.set(schema, attributes);
    return attributes.has(attribute);
  };
}
