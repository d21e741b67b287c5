/** Refusals of a request by code. They are known by their name: several copies of the module
 *  `lectern` may be loaded. */
import type { Problem } from './protocol.ts';

const name = 'Refusal';

/** Refuses the request with a 400 that names the path:
 *  `fail('price', 'must be at least the cost')`. An empty path is the document as a whole. */
export function fail(path: string, message: string): never {
  throw refusal([{ path: String(path), message: String(message) }]);
}

export const refusal = (problems: readonly Problem[]): Error =>
  Object.assign(new Error(problems.map(textOfProblem).join('; ')), { name, problems });

export const textOfProblem = ({ path, message }: Problem): string => (path === '' ? message : `${path}: ${message}`);

/** The problems of a refusal; undefined for other errors. */
export function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (!(error instanceof Error) || error.name !== name || !('problems' in error)) return undefined;
  return error.problems as readonly Problem[];
}
