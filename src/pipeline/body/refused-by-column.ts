/** The values of a body that the database has refused. Only the columns themselves decide: those of
 *  a database may be larger than the columns that Strapi makes. */
import { columnTypeOf, storedTypeOf } from '../../dialects/column-type.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type ListedProblem, maxProblems } from '../../errors/error-body.ts';
import { type ContentModel, schemaOf } from '../../model/content-model.ts';
import type { BodyEntry } from '../parse/body/types.ts';
import { writtenPath } from './body-problems.ts';
import { locatedObjects } from './body-targets.ts';

/** Returns the error for values that do not fit their columns. The driver's error does not say
 *  which value it is about.
 *
 *  `{ boxes: [{ whole: 3000000000 }] }` on PostgreSQL → `boxes[0].whole is too large or too long …` */
export function refusedByColumn(body: BodyEntry | undefined, dialect: Dialect, model: ContentModel): ApiError {
  const errors = body === undefined ? [] : [...misfitsOf(body, dialect, model)].slice(0, maxProblems);
  if (errors.length === 0) return ApiError.of('body.out-of-range', { values: 'A value' });
  return ApiError.of('body.out-of-range', { values: errors.map(({ path }) => writtenPath(path)).join(', ') }, { errors });
}

function* misfitsOf(body: BodyEntry, dialect: Dialect, model: ContentModel): Generator<ListedProblem> {
  for (const { object, path } of locatedObjects(body)) {
    for (const [name, read] of object.scalars) {
      const attribute = schemaOf(model, object.uid)?.attributes.get(name);
      // The column of a password has its hash.
      if (attribute?.kind !== 'scalar' || attribute.type === 'password' || read.ok !== true || typeof read.value === 'bigint') continue;
      const misfit = dialect.misfit(read.value, { type: storedTypeOf(columnTypeOf(attribute)) });
      if (misfit !== undefined) yield { path: [...path, name], message: misfit, name: 'ValidationError' };
    }
  }
}
