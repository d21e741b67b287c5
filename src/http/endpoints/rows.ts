/** Users are addressed by row id, files by row id or documentId. */
import type { FastifyRequest } from 'fastify';
import type { ContentType } from '../../model/content-model.ts';
import type { AnswerRead, Outcome, ReadCall } from '../../pipeline/call.ts';
import { isRowId } from '../../text/row-id.ts';
import { type EndpointCall, type EndpointResponse, parameter } from '../send-response.ts';

/** A parameter of a path that is a row id; undefined for everything that no row can have. */
export const rowIdParameter = (request: FastifyRequest, name: string): number | undefined => rowIdOf(parameter(request, name));

export function rowIdOf(text: string): number | undefined {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return isRowId(id) ? id : undefined;
}

type CallOfRead = Pick<EndpointCall, 'query' | 'actor' | 'restriction' | 'caller'>;

/** Text of digits is a row id; any other text is a documentId. */
export const isRowIdText = (text: string): boolean => /^\d+$/.test(text);

interface RowReadOptions extends Pick<ReadCall, 'isAfterWrite' | 'withIsUrlSigned'> {
  readonly by?: 'id' | 'documentId';
}

/** Reads a row, without an envelope. */
export const answerRow = (
  answer: AnswerRead,
  type: ContentType,
  id: number | string,
  { query, actor, restriction, caller }: CallOfRead,
  { by = 'id', ...options }: RowReadOptions = {},
): Promise<Outcome> =>
  answer({ type, target: { kind: 'one', by, key: String(id) }, query, actor, restriction, envelope: 'bare', ...options }, caller);

/** As recorded: a missing row is a response without a body. */
export const orNoBody = (outcome: Outcome): EndpointResponse =>
  outcome.status === 404 ? { ...outcome, status: 204, body: null, headers: {} } : outcome;
