/** Documents of rights that come in requests, and the one of the project. */
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { conditionCheck } from '../../permissions/condition-check.ts';
import { type Declaration, readDeclaration } from '../../permissions/declaration.ts';
import { type FoundDeclaration, findDeclaration } from '../../permissions/find-declaration.ts';

/** Throws a 400 that lists the mistakes; `told` puts their places into the words of the request. */
export function declarationOf(document: unknown, model: ContentModel, told: (problem: string) => string): Declaration {
  const result = readDeclaration(document, model, conditionCheck(model));
  if (result.ok) return result.declaration;
  throw refusal(result.problems.map(told));
}

/** Throws when there are any. */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw refusal(problems);
}

export function refusal(problems: readonly string[]): ApiError {
  const problem = problems.length === 1 ? (problems[0] ?? '') : `${problems.length} errors occurred`;
  return ApiError.of('management.document', { problem }, { errors: problems.map((message) => ({ message, name: 'ValidationError' })) });
}

/** What the project declares. The file may have changed, and may be wrong, since the start. */
export function declaredInProject(dir: string, model: ContentModel): FoundDeclaration | undefined {
  try {
    return findDeclaration(dir, model);
  } catch (error) {
    throw error instanceof StartError ? refusal(error.problems) : error;
  }
}
