/** `/api/_presence/:uid/:documentId`: users who edit a document see each other. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { AccessStore } from '../../../identity/access-store.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Outcome } from '../../../pipeline/call.ts';
import { together, withoutFields } from '../../../rights/restrictions.ts';
import { Visible } from '../../../rights/visible.ts';
import { isObject } from '../../../text/json.ts';
import type { Editor, Presence } from '../../presence/presence.ts';
import { type Endpoint, type EndpointCall, jsonResponse, parameter } from '../../send-response.ts';
import { askList, readsDrafts } from './ask-list.ts';

export interface PresenceParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly answer: AnswerRead;
  readonly store: AccessStore;
  readonly presence: Presence;
}

export function presenceEndpoints(parts: PresenceParts): { readonly beHere: Endpoint; readonly leave: Endpoint } {
  const { presence, store } = parts;

  const beHere: Endpoint = async (call) => {
    const userId = userOf(call);
    const { documentId, type } = editedDocument(call, parts.model);
    const { locale, field } = placeIn(call.request.body);
    const refusal = await refusalOf(type, documentId, call, parts);
    if (refusal !== undefined) return refusal;
    const username = (await store.profile(userId))?.user.username ?? '';
    const others = await presence.note(`${type.uid} ${documentId}`, { userId, username, locale, field });
    const readable = readableOf(type, call, parts);
    const shown = others.map(({ userId: id, username: name, seenAt, locale: where, field: what }) => ({
      user: { id, username: name },
      locale: where,
      field: what !== null && readable.has(attributeIn(what)) ? what : null,
      seenAt: new Date(seenAt).toISOString(),
    }));
    return { ...jsonResponse({ data: shown }), headers: { 'cache-control': 'no-store' } };
  };

  /** Any document may be named: a caller that was not there leaves nothing. */
  const leave: Endpoint = (call) => {
    const userId = userOf(call);
    presence.leave(`${parameter(call.request, 'uid')} ${parameter(call.request, 'documentId')}`, userId);
    return { status: 204, body: null };
  };

  return { beHere, leave };
}

/** API tokens are used by programs, which nobody waits for. */
function userOf({ actor }: EndpointCall): number {
  if (actor.kind === 'public') throw ApiError.of('session.no-user');
  if (actor.kind === 'token') throw ApiError.of('access.forbidden');
  return actor.userId;
}

function editedDocument({ request, actor }: EndpointCall, model: ContentModel) {
  const uid = parameter(request, 'uid');
  const documentId = parameter(request, 'documentId');
  if (documentId.includes('\0')) throw ApiError.of('path.malicious');
  const type = model.contentTypes.get(uid);
  // An unknown type is a type without rights. Readers need not know who edits.
  const isEditor = type?.routed === true && [readAction(type), `${uid}.update`].every((action) => actor.rights.allows(action));
  if (!isEditor) throw ApiError.of('access.forbidden');
  return { type, documentId };
}

const readAction = ({ uid, kind }: ContentType): string => `${uid}.${kind === 'singleType' ? 'find' : 'findOne'}`;

/** Names of the attributes that the caller may read: an editor may have rights to others. */
function readableOf(type: ContentType, { actor: { rights } }: EndpointCall, { model, config }: PresenceParts): ReadonlySet<string> {
  const fields = rights.restriction(readAction(type))?.fields;
  const names = new Visible(model, config, rights).attributes(type).map(({ name }) => name);
  return new Set(names.filter((name) => fields?.has(name) ?? true));
}

/** The first name of a path such as `blocks[0].title`. */
const attributeIn = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? '';

/** Undefined if the caller may read and update a version of the document, in any locale. */
async function refusalOf(
  type: ContentType,
  documentId: string,
  call: EndpointCall,
  { answer, config }: PresenceParts,
): Promise<Outcome | undefined> {
  const { rights } = call.actor;
  const restriction = together([readAction(type), `${type.uid}.update`].map((action) => withoutFields(rights.restriction(action))));
  for (const status of readsDrafts(type, rights, config) ? ['draft', 'published'] : ['published']) {
    const query = [
      `filters[documentId][$eq]=${encodeURIComponent(documentId)}`,
      'fields=documentId&pagination[start]=0&pagination[limit]=1&pagination[withCount]=false',
      ...(type.localized ? ['locale=*'] : []),
      ...(type.draftAndPublish ? [`status=${status}`] : []),
    ];
    const list = await askList(answer, { type, restriction, query }, call);
    if (!list.ok) return list.outcome;
    if (list.rows.length > 0) return undefined;
  }
  throw ApiError.of('document.not-found');
}

/** The form of codes of locales and paths of attributes: other users see them. */
const places = { locale: /^[\w-]{1,35}$/, field: /^[\w.[\]-]{1,200}$/ };

function placeIn(body: unknown): Pick<Editor, 'locale' | 'field'> {
  const read = (name: keyof typeof places): string | null => {
    const value = isObject(body) ? body[name] : undefined;
    if (value === undefined || value === null) return null;
    if (typeof value === 'string' && places[name].test(value)) return value;
    const message = `${name} must be ${name === 'locale' ? 'the code of a locale' : 'the path of an attribute'}, or null`;
    throw ApiError.of('body.values', { message }, { errors: [{ path: [name], message, name: 'ValidationError' }] });
  };
  return { locale: read('locale'), field: read('field') };
}
