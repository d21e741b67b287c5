/** `GET /api/articles/:documentId/versions-of-locales`: in which locales a document is, and whether
 *  it is published there. Made of lists of its rows, so it has what these would show. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import { isVisible } from '../../../model/visibility.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { type Restriction, together } from '../../../rights/restrictions.ts';
import { digestOf } from '../../../text/digest.ts';
import type { JsonObject } from '../../../text/json.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { askList, readsDrafts, respondingUnread, Unread } from './ask-list.ts';

export interface VersionsParts {
  readonly type: ContentType;
  readonly answer: AnswerRead;
  readonly config: Config;
}

/** Entries of a page, and pages at most: no document is in more locales. */
const pageLength = 100;
const maxPages = 20;

export function versionsEndpoint({ type, answer, config }: VersionsParts): Endpoint {
  const isSingle = type.kind === 'singleType';

  /** `shown`: the restriction that decides which fields may be asked for. */
  async function rows(call: EndpointCall, documentId: string | undefined, query: readonly string[], shown: Restriction | undefined) {
    const fields = shownFields(type, shown);
    const inLocales = type.localized && fields.includes('locale') ? ['locale=*'] : [];
    const ofDocument = documentId === undefined ? [] : [`filters[documentId][$eq]=${encodeURIComponent(documentId)}`];
    const named = ['documentId', ...fields].map((name, index) => `fields[${index}]=${name}`);
    const all: JsonObject[] = [];
    // `api.maxLimit` may be smaller than the number of locales.
    for (let pages = 0; pages < maxPages; pages++) {
      const page = [`pagination[start]=${all.length}`, `pagination[limit]=${pageLength}`, 'pagination[withCount]=true'];
      const asked = { type, restriction: call.restriction, query: [...ofDocument, ...named, ...inLocales, ...page, ...query] };
      const list = await askList(answer, asked, call);
      if (!list.ok) throw new Unread(list.outcome);
      all.push(...list.rows);
      if (list.rows.length === 0 || all.length >= list.total) break;
    }
    return all;
  }

  async function versions(call: EndpointCall): Promise<EndpointResponse> {
    const { actor, request, restriction } = call;
    const documentId = isSingle ? undefined : parameter(request, 'documentId');
    if (documentId?.includes('\0')) throw ApiError.of('path.malicious');
    const seesDrafts = readsDrafts(type, actor.rights, config);
    const ofDrafts = together([restriction, actor.rights.restriction(`${type.uid}.findDraft`)]);
    const published = await rows(call, documentId, [], restriction);
    const drafts = seesDrafts ? await rows(call, documentId, ['status=draft'], ofDrafts) : [];
    const modified = seesDrafts ? await rows(call, documentId, ['status=draft', 'publicationFilter=modified'], ofDrafts) : [];
    const found = versionsOf({ published, drafts, modified: seesDrafts || !type.draftAndPublish ? modified : undefined });
    if (found.length === 0) throw ApiError.of('document.not-found');
    const body = JSON.stringify({ data: found });
    return { status: 200, body, digest: digestOf(body) };
  }

  return respondingUnread(versions);
}

interface Version {
  readonly locale: unknown;
  readonly draft: JsonObject | null;
  readonly published: JsonObject | null;
  /** Null if the caller may not read drafts, which would reveal it. */
  readonly isModified: boolean | null;
}

interface RowsOfDocument {
  readonly published: readonly JsonObject[];
  readonly drafts: readonly JsonObject[];
  /** Drafts that have changed since they were published; undefined if the caller may not know. */
  readonly modified: readonly JsonObject[] | undefined;
}

function versionsOf({ published, drafts, modified }: RowsOfDocument): readonly Version[] {
  const [first] = [...drafts, ...published];
  // Rows of a single type may belong to several documents, of which the first one counts.
  const ofDocument = (rows: readonly JsonObject[]) =>
    new Map(rows.filter(({ documentId }) => documentId === first?.documentId).map((row) => [row.locale ?? null, row] as const));
  const byLocale = { published: ofDocument(published), drafts: ofDocument(drafts), modified: modified && ofDocument(modified) };
  const locales = [...new Set([...byLocale.drafts.keys(), ...byLocale.published.keys()])];
  return locales.map((locale) => {
    const [draft, row] = [byLocale.drafts.get(locale), byLocale.published.get(locale)];
    return {
      locale,
      draft: draft === undefined ? null : timesOf(draft, ['createdAt', 'updatedAt']),
      published: row === undefined ? null : timesOf(row, ['createdAt', 'updatedAt', 'publishedAt']),
      isModified: byLocale.modified === undefined ? null : byLocale.modified.has(locale),
    };
  });
}

const timesOf = (row: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

const fieldNames = ['locale', 'createdAt', 'updatedAt', 'publishedAt'];

/** A restriction may hide some of them. */
const shownFields = ({ attributes }: ContentType, restriction: Restriction | undefined): readonly string[] =>
  fieldNames.filter((name) => {
    const attribute = attributes.get(name);
    return attribute !== undefined && isVisible(attribute) && restriction?.fields?.has(name) !== false;
  });
