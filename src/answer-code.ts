/** Answers what hooks and endpoints ask of the server: documents by the rules of the Content API,
 *  and mails. */
import type { Mailer } from './accounts/mailer.ts';
import { ApiError } from './errors/api-error.ts';
import type { EventCaller } from './events/document-event.ts';
import type { Actor } from './identity/actor.ts';
import { fileUid, userUid } from './model/built-in-types.ts';
import type { ContentModel, ContentType } from './model/content-model.ts';
import { type DataAndIncrements, withoutIncrements } from './own-code/increments.ts';
import type { Ask, AskError, DocumentOperation } from './own-code/protocol.ts';
import { askError } from './own-code/thread-of-code.ts';
import type { AnswerRead, AnswerWrite, Caller, ReadTarget, WriteAction, WriteOutcome } from './pipeline/call.ts';
import { fullRights } from './rights/rights.ts';
import { isObject, objectAt, parsedObject } from './text/json.ts';
import { orMeant } from './text/nearest.ts';
import { textOfBody } from './text/text-of-body.ts';

export interface AnswerCodeParts {
  readonly model: ContentModel;
  readonly answerRead: AnswerRead;
  readonly answerWrite: AnswerWrite;
  readonly mailer: Mailer;
}

/** The caller on whose behalf code asks. */
export interface CodeRun {
  readonly actor: Actor;
  readonly caller: Caller;
  /** The caller that events name, if it is not the actor. */
  readonly by?: EventCaller | undefined;
  /** Only reads, since what is written outside of the transaction cannot be undone. */
  readonly readsOnly?: boolean;
}

type Documents = Extract<Ask, { kind: 'documents' }>;

const writes: Readonly<Partial<Record<DocumentOperation, { readonly action: WriteAction; readonly right: string }>>> = {
  create: { action: 'create', right: 'create' },
  update: { action: 'update', right: 'update' },
  delete: { action: 'delete', right: 'delete' },
  publish: { action: 'publish', right: 'publish' },
  unpublish: { action: 'unpublish', right: 'publish' },
  discardDraft: { action: 'discardDraft', right: 'publish' },
};

/** Returns the function that answers; it rejects with an `AskError`. */
export const answerCode =
  (parts: AnswerCodeParts) =>
  (run: CodeRun) =>
  async (ask: Ask): Promise<string | null> => {
    try {
      if (ask.kind === 'documents') return await documents(ask, run, parts);
      if (run.readsOnly)
        throw askError(
          'code.asked-wrong',
          'before a write, code cannot send mail, since the write may be refused and the code run again: use committed',
          400,
        );
      await sendMail(ask.mail, parts.mailer);
      return null;
    } catch (error) {
      // An error with a cause is thrown as it is, so that the cause is logged.
      throw error instanceof ApiError && error.cause === undefined
        ? ({
            status: error.status,
            code: error.code,
            message: error.help ?? error.message,
            details: error.details ?? {},
          } satisfies AskError)
        : error;
    }
  };

async function documents(ask: Documents, run: CodeRun, parts: AnswerCodeParts): Promise<string | null> {
  const { model, answerRead, answerWrite } = parts;
  const type = model.contentTypes.get(ask.uid);
  if (type === undefined) throw wrong(`there is no content type ${ask.uid}${orMeant(ask.uid, [...model.contentTypes.keys()])}`);
  const actor: Actor = ask.asSystem ? { ...run.actor, rights: fullRights } : run.actor;
  const write = writes[ask.operation];
  if (write === undefined) {
    const action = rightTo(ask.operation === 'find' && type.kind === 'collectionType' ? 'find' : readRight(type), type);
    if (!actor.rights.allows(action)) throw ApiError.of('access.forbidden');
    const restriction = actor.rights.restriction(action);
    const call = { type, target: targetOf(ask, type), query: ask.query, actor, restriction, envelope: 'flat', isAfterWrite: true } as const;
    const outcome = await answerRead(call, { ...run.caller, isCurrent: true });
    if (outcome.status === 404 && ask.operation === 'findOne') return null;
    return textOrError(outcome);
  }
  if (run.readsOnly) throw wrong('before a write, code can only read: return writes as `also`');
  if (!type.routed) throw wrong(`code cannot write ${type.uid}; requests to its routes can`);
  if (type.kind === 'singleType' && write.action === 'create')
    throw wrong(`${type.uid} is a single type: use update, which also makes its document`);
  const action = `${type.uid}.${write.right}`;
  if (!actor.rights.allows(action)) throw ApiError.of('access.forbidden');
  const given = ask.data === undefined ? undefined : dataOf(ask.data, ask.operation, type);
  const outcome = await answerWrite(
    {
      type,
      action: write.action,
      documentId: type.kind === 'singleType' || write.action === 'create' ? undefined : (ask.documentId ?? ''),
      partial: true,
      query: ask.query,
      body: given === undefined ? undefined : { data: given.data },
      actor,
      restriction: actor.rights.restriction(action),
      envelope: 'flat',
      ifMatch: undefined,
      idempotencyKey: undefined,
      by: run.by,
      isSystem: ask.asSystem,
      ...(given === undefined ? {} : { increments: given.increments }),
    },
    run.caller,
  );
  return textOrError(outcome);
}

/** Only an update can have increments. */
function dataOf(text: string, operation: DocumentOperation, type: ContentType): DataAndIncrements {
  const data: unknown = JSON.parse(text);
  if (!isObject(data)) throw wrong(`data of ${type.uid} has to be an object`);
  if (operation !== 'update') return { data, increments: new Map() };
  const found = withoutIncrements(data, type);
  if (found.problem !== undefined) throw wrong(found.problem);
  return found;
}

const wrong = (problem: string) => ApiError.of('code.asked-wrong', { problem });

const readRight = ({ kind }: ContentType) => (kind === 'singleType' ? 'find' : 'findOne');

const rightTo = (name: string, { uid }: ContentType): string => (uid === fileUid ? `plugin::upload.content-api.${name}` : `${uid}.${name}`);

function targetOf({ operation, documentId }: Documents, { kind, uid }: ContentType): ReadTarget {
  if (kind === 'singleType') return { kind: 'single' };
  if (operation === 'find') return { kind: 'list' };
  const key = String(documentId ?? '');
  return { kind: 'one', by: uid === userUid && /^\d+$/.test(key) ? 'id' : 'documentId', key };
}

type ResponseParts = Pick<WriteOutcome, 'status' | 'body' | 'headers'>;

function textOrError(response: ResponseParts): string | null {
  const { status, body } = response;
  if (status >= 300) throw errorIn(response);
  return body === null ? null : textOfBody(body);
}

/** The error of a response. */
export function errorIn({ status, body, headers }: ResponseParts): AskError {
  const error = objectAt(parsedObject(textOfBody(body ?? '')) ?? {}, 'error');
  const { message, details } = error;
  // In profile `strapi`, a header has the code.
  const code = error.code ?? headers?.['x-error-code'];
  return {
    ...{ status, code: typeof code === 'string' ? code : 'refused', message: String(message ?? 'refused') },
    details: isObject(details) ? details : {},
  };
}

type AskedMail = Extract<Ask, { kind: 'mail' }>['mail'];

async function sendMail({ to, subject, html, text, replyTo }: AskedMail, mailer: Mailer): Promise<void> {
  if (!mailer.available) throw wrong('no mail server is configured (mail.host)');
  // A line break would begin another header.
  for (const [name, value] of Object.entries({ to, subject, replyTo: replyTo ?? '' }))
    if (typeof value !== 'string' || /[\r\n]/.test(value)) throw wrong(`${name} of a mail has to be a text of one line`);
  if (to === '' || (html === undefined && text === undefined)) throw wrong('a mail needs to, subject, and html or text');
  await mailer.send({
    to,
    subject,
    replyTo,
    from: undefined,
    html: String(html ?? ''),
    text: text === undefined ? undefined : String(text),
  });
}
