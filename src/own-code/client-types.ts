/** Types of parameters and responses, which the client has too. */
export type * from '../../client/src/result.ts';
export type { AnySchema } from '../../client/src/schema.ts';
