/** `POST /api/_validate/:uid`: the problems of a body, without writing it. The write is made in its
 *  transaction, which is rolled back, so that it says what the write would say. */
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerWrite, FoundProblem, FoundProblems, WriteCall, WriteOutcome } from '../../../pipeline/call.ts';
import { isObject, type JsonObject, objectAt } from '../../../text/json.ts';
import { isForm, unreadBody } from '../../bodies/unread-body.ts';
import { versionsOf } from '../../etag.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { refuseVisitors } from './refuse-visitors.ts';

export interface ValidateParts {
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly answerWrite: AnswerWrite;
  readonly config: { readonly api: { readonly prefix: string } };
}

export function validateEndpoint({ model, routes, answerWrite, config }: ValidateParts): Endpoint {
  return async (call) => {
    // A form that is open to all would tell strangers which values of `unique` attributes are taken,
    // past the hooks and limits of its write.
    refuseVisitors(call);
    const uid = parameter(call.request, 'uid');
    const documentId = documentIdIn(call.request.body);
    const type = model.contentTypes.get(uid);
    const action = type?.kind === 'singleType' || documentId !== undefined ? 'update' : 'create';
    const right = `${uid}.${action}`;
    // An unknown type is a type without rights.
    if (!call.actor.rights.allows(right)) throw ApiError.of('access.forbidden');
    const isServed = routes.some((route) => route.action === right && route.serves.kind === 'write' && handlingOf(route) === 'served');
    if (type === undefined || !isServed) throw ApiError.of('document.not-found');
    const write = writeOf(call, type, { action, documentId, restriction: call.actor.rights.restriction(right) }, config.api.prefix);
    return respond(await problemsIn(write, (each) => answerWrite(each, call.caller)));
  };
}

function documentIdIn(body: unknown): string | undefined {
  const documentId = isObject(body) ? body.documentId : undefined;
  if (documentId === undefined || documentId === null) return undefined;
  if (typeof documentId === 'string' && documentId !== '' && !documentId.includes('\0')) return documentId;
  const message = 'documentId must be the documentId of a document';
  throw ApiError.of('body.values', { message }, { errors: [{ path: ['documentId'], message, name: 'ValidationError' }] });
}

type Target = Pick<WriteCall, 'action' | 'documentId' | 'restriction'>;

function writeOf(
  { request, query, actor, dataVersion }: EndpointCall,
  type: ContentType,
  { action, documentId, restriction }: Target,
  prefix: string,
): WriteCall {
  const { body, headers } = request;
  const ifMatch = headers['if-match'];
  return {
    type,
    action,
    documentId: type.kind === 'singleType' ? undefined : documentId,
    // Attributes that the body leaves out are no problem.
    partial: true,
    query,
    body: isObject(body) ? { data: body.data } : body,
    unreadBody: unreadBody(request, prefix),
    isForm: isForm(request),
    actor,
    restriction,
    envelope: 'flat',
    dataVersion,
    ifMatch: ifMatch === undefined ? undefined : versionsOf(ifMatch),
    idempotencyKey: undefined,
    dryRun: true,
  };
}

/** Wrong values hide others, such as one that is not unique: a second run without the attributes
 *  that are wrong finds these. */
async function problemsIn(write: WriteCall, answer: (write: WriteCall) => Promise<WriteOutcome>): Promise<WriteOutcome> {
  const outcome = await answer(write);
  const first = outcome.problems;
  if (first === undefined || first.errors.length === 0 || first.more > 0) return outcome;
  const data = objectAt(write.body as JsonObject, 'data') ?? {};
  const wrong = new Set(first.errors.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !wrong.has(name)));
  if (Object.keys(rest).length === Object.keys(data).length) return outcome;
  const { problems } = await answer({ ...write, body: { data: rest } });
  if (problems === undefined) return outcome;
  const further = problems.errors.filter(({ path }) => !wrong.has(path[0]));
  return { ...outcome, problems: { errors: [...first.errors, ...further], more: problems.more } };
}

function respond({ problems, ...outcome }: WriteOutcome): EndpointResponse {
  return problems === undefined ? outcome : { ...outcome, status: 200, body: JSON.stringify({ data: describe(problems) }) };
}

const describe = ({ errors, more }: FoundProblems): { valid: boolean; errors: readonly FoundProblem[]; more?: number } => ({
  valid: errors.length === 0 && more === 0,
  errors,
  ...(more === 0 ? {} : { more }),
});
