/** Decides whose reads must show every write that was confirmed before them. Nodes of the database
 *  may lack each other's writes for a moment. */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import type { WritePositions } from './write-position.ts';

/** `action`: the right that the request needs. */
export type IsCurrent = (request: Pick<FastifyRequest, 'headers'>, actor: Actor, action: string) => boolean;

const writes = ['create', 'update', 'delete', 'publish', 'upload', 'destroy'];

/** Callers that have written lately, and users and tokens that may write what they read. */
export const currentCallers =
  (positions: WritePositions | undefined): IsCurrent =>
  (request, { kind, rights }, action) => {
    if (positions?.of(request) !== undefined) return true;
    const controller = action.slice(0, action.lastIndexOf('.'));
    return kind !== 'public' && writes.some((write) => rights.allows(`${controller}.${write}`));
  };
