/** `…/:documentId/history`: what a document was. Whoever may change a document may see its former
 *  versions, with today's rights. */
import { oncePer } from '../../../collections.ts';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { readVersion, readVersions, type StoredVersion } from '../../../history/history-store.ts';
import { writeLossless } from '../../../model/attributes/lossless.ts';
import type { Attribute, ContentModel, ContentType, Schema } from '../../../model/content-model.ts';
import type { AnswerRead, AnswerWrite } from '../../../pipeline/call.ts';
import { together } from '../../../rights/restrictions.ts';
import { Visible } from '../../../rights/visible.ts';
import { Rows } from '../../../sql/rows.ts';
import { digestOf } from '../../../text/digest.ts';
import type { JsonObject } from '../../../text/json.ts';
import type { HistoryRoute, Route } from '../../routes/routes.ts';
import { type Endpoint, type EndpointCall, parameter } from '../../send-response.ts';
import { readsDrafts, respondingUnread } from '../content/ask-list.ts';
import { refuseVisitors } from '../content/refuse-visitors.ts';
import { PresentTargets } from './present-targets.ts';
import { parsedContent, restoreVersion } from './restore-version.ts';
import { type FormerTarget, visitContent } from './stored-content.ts';

export interface HistoryParts {
  readonly model: ContentModel;
  readonly config: Config;
  readonly database: Database;
  readonly answer: AnswerRead;
  readonly answerWrite: AnswerWrite;
  readonly routes: readonly Route[];
}

const mostOfPage = 100;
/** Further targets of a version are not shown. */
const mostTargets = 1000;

export function historyEndpoint(route: HistoryRoute, type: ContentType, parts: HistoryParts): Endpoint {
  const respond = { history: listVersions, formerVersion: showVersion, restore: restore }[route];
  return respondingUnread(async (call) => {
    refuseVisitors(call);
    return respond({ type, documentId: documentIdOf(call, type), call, statuses: statusesFor(call, type, parts.config) }, parts);
  });
}

interface Asked {
  readonly type: ContentType;
  readonly documentId: string | undefined;
  readonly call: EndpointCall;
  /** Those that the caller may see. */
  readonly statuses: readonly StoredVersion['status'][];
}

/** What was stored cannot be compared with the condition of a restriction. */
function statusesFor({ actor: { rights } }: EndpointCall, type: ContentType, config: Config): Asked['statuses'] {
  const seesDrafts = readsDrafts(type, rights, config);
  const actions = [
    readAction(type),
    `${type.uid}.update`,
    ...(seesDrafts && config.policies.draftsNeedRight ? [`${type.uid}.findDraft`] : []),
  ];
  for (const action of actions) {
    if (!rights.allows(action)) throw ApiError.of('access.forbidden');
    if (rights.restriction(action)?.condition !== undefined) throw ApiError.of('history.restricted', { action });
  }
  return seesDrafts ? ['draft', 'published'] : ['published'];
}

const readAction = ({ uid, kind }: ContentType): string => `${uid}.${kind === 'singleType' ? 'find' : 'findOne'}`;

/** Undefined for a single type, which has one document. */
function documentIdOf({ request }: EndpointCall, { kind }: ContentType): string | undefined {
  if (kind === 'singleType') return undefined;
  const documentId = parameter(request, 'documentId');
  if (documentId.includes('\0')) throw ApiError.of('path.malicious');
  return documentId;
}

async function listVersions({ type, documentId, call, statuses }: Asked, { database, model, config }: HistoryParts) {
  const query = new URLSearchParams(call.query);
  for (const name of query.keys()) if (!listParameters.has(name)) throw ApiError.of('query.invalid-key', { key: name, at: null });
  const { page, pageSize } = pageIn(query);
  const locale = query.get('locale');
  const status = query.get('status');
  if (status !== null && status !== 'draft' && status !== 'published') throw ApiError.of('status.value', { received: status });
  const wanted = {
    ...{ uid: type.uid, documentId, locale: !type.localized || locale === null || locale === '*' ? undefined : locale },
    statuses: statuses.filter((each) => status === null || each === status),
    ...{ start: (page - 1) * pageSize, limit: pageSize },
  };
  const rows = (work: (rows: Rows) => ReturnType<typeof readVersions>) =>
    database.read((connection) => work(new Rows(connection, database.dialect)));
  const { versions, total } = wanted.statuses.length === 0 ? { versions: [], total: 0 } : await rows((each) => readVersions(wanted, each));
  const shown = { draft: shownIn(call, type, 'draft', { model, config }), published: shownIn(call, type, 'published', { model, config }) };
  const body = JSON.stringify({
    data: versions.map((version) => described(version, (path) => isPathShown(path, type, shown[version.status], model))),
    meta: { pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } },
  });
  return { status: 200, body, digest: digestOf(body) };
}

const listParameters: ReadonlySet<string> = new Set(['locale', 'status', 'pagination[page]', 'pagination[pageSize]']);

function pageIn(query: URLSearchParams): { readonly page: number; readonly pageSize: number } {
  const read = (name: string, fallback: number, most: number) => {
    const text = query.get(`pagination[${name}]`);
    const value = text === null ? fallback : /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value < 1) throw ApiError.of('pagination.page', { name, received: text ?? '' });
    return Math.min(value, most);
  };
  return { page: read('page', 1, 1_000_000), pageSize: read('pageSize', 25, mostOfPage) };
}

/** `isShown`: whether the caller may learn that an attribute was changed. */
const described = (
  { id, locale, status, event, caller, paths, replacedAt, writtenAt }: StoredVersion,
  isShown: (path: string) => boolean,
) => ({
  version: id,
  locale,
  status,
  writtenAt: writtenAt === null ? null : new Date(writtenAt).toISOString(),
  replacedAt: new Date(replacedAt).toISOString(),
  replacedBy: { event, kind: caller.kind, id: caller.id, paths: paths.filter(isShown) },
});

type IsShown = (attribute: Attribute, schema: Schema) => boolean;

/** Whether the caller may read an attribute of the type or of its components, as a read of the
 *  document shows it. */
function shownIn(
  { actor: { rights } }: EndpointCall,
  type: ContentType,
  status: StoredVersion['status'],
  { model, config }: Pick<HistoryParts, 'model' | 'config'>,
): IsShown {
  const visible = new Visible(model, config, rights);
  const shown = oncePer((schema: Schema) => new Set(visible.attributes(schema)));
  const isDraft = type.draftAndPublish && status === 'draft' && config.policies.draftsNeedRight;
  const actions = [readAction(type), ...(isDraft ? [`${type.uid}.findDraft`] : [])];
  const fields = together(actions.map((action) => rights.restriction(action)))?.fields;
  return (attribute, schema) => shown(schema).has(attribute) && (schema !== type || fields?.has(attribute.name) !== false);
}

/** `seo.metaTitle`: whether all of it is shown. */
function isPathShown(path: string, type: ContentType, isShown: IsShown, model: ContentModel): boolean {
  let schema: Schema | undefined = type;
  for (const name of path.split('.')) {
    const attribute: Attribute | undefined = schema?.attributes.get(name);
    if (schema === undefined || attribute === undefined || !isShown(attribute, schema)) return false;
    schema = attribute.kind === 'component' ? model.components.get(attribute.component) : undefined;
  }
  return true;
}

async function storedVersion({ type, documentId, call, statuses }: Asked, { database }: HistoryParts) {
  const text = parameter(call.request, 'version');
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  const found = await database.read((connection) =>
    readVersion(id, { uid: type.uid, documentId, statuses }, new Rows(connection, database.dialect)),
  );
  if (found === undefined) throw ApiError.of('history.gone');
  return { version: found.version, content: parsedContent(found.content) };
}

async function showVersion(asked: Asked, parts: HistoryParts) {
  const { type, call } = asked;
  const { model } = parts;
  const { version, content } = await storedVersion(asked, parts);
  const takes = shownIn(call, type, version.status, parts);
  const targets: FormerTarget[] = [];
  visitContent(content, type, model, {
    takes,
    links: (found) => {
      targets.push(...found);
    },
  });
  const present = await PresentTargets.read(targets, { ...parts, most: mostTargets }, call);
  const shown = visitContent(content, type, model, {
    takes,
    links: (found, attribute) => {
      const rows = found.flatMap((target) => present.of(target) ?? []);
      return 'cardinality' in attribute && attribute.cardinality === 'one' ? (rows[0] ?? null) : rows;
    },
  });
  const data: JsonObject = { documentId: version.documentId, ...(type.localized ? { locale: version.locale } : {}), ...shown };
  const { replacedBy, ...meta } = described(version, (path) => isPathShown(path, type, takes, model));
  const body = writeLossless({ data, meta: { ...meta, replacedBy } });
  return { status: 200, body, digest: digestOf(body) };
}

async function restore(asked: Asked, parts: HistoryParts) {
  const { version, content } = await storedVersion(asked, parts);
  const { call, type } = asked;
  return restoreVersion({ ...asked, version, content }, shownIn(call, type, version.status, parts), parts);
}
