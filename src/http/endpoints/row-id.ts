import type { FastifyRequest } from 'fastify';
import { parameter } from '../send-response.ts';

const largest = 2 ** 31 - 1;

/** A parameter of a path that is a row id; undefined for everything that no row can have. */
export const rowIdParameter = (request: FastifyRequest, name: string): number | undefined => rowIdOf(parameter(request, name));

export function rowIdOf(text: string): number | undefined {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= largest ? id : undefined;
}
