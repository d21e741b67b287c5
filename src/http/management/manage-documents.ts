/** Permission documents in requests, and the project's own. */
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { type Declaration, readDeclaration } from '../../permissions/declaration.ts';
import { type FoundDeclaration, findDeclaration } from '../../permissions/find-declaration.ts';

/** Throws a 400 that lists the mistakes; `describe` turns their paths into paths of the request. */
export function declarationOf(document: unknown, model: ContentModel, describe: (problem: string) => string): Declaration {
  const result = readDeclaration(document, model);
  if (result.ok) return result.declaration;
  throw refusal(result.problems.map(describe));
}

/** Throws when there are any problems. */
export function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw refusal(problems);
}

export function refusal(problems: readonly string[]): ApiError {
  const problem = problems.length === 1 ? (problems[0] ?? '') : `${problems.length} errors occurred`;
  return ApiError.of('management.document', { problem }, { errors: problems.map((message) => ({ message, name: 'ValidationError' })) });
}

/** The project's permission document. The file may have become invalid since the start. */
export function declaredInProject(dir: string, model: ContentModel): FoundDeclaration | undefined {
  try {
    return findDeclaration(dir, model);
  } catch (error) {
    throw error instanceof StartError ? refusal(error.problems) : error;
  }
}
