export type * from './client.ts';
export { createClient } from './create-client.ts';
export { type ErrorKind, type InvalidDetails, LecternError } from './errors.ts';
export type * from './options.ts';
export type { Call, Outcome } from './outcome.ts';
export type * from './result.ts';
export type * from './schema.ts';
export type { SignedIn } from './session.ts';
