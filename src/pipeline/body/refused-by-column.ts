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
 *  `{ boxes: [{ whole: 3000000000 }] }` on PostgreSQL →
 *  `Too large or too long for the column in this database: boxes[0].whole` */
export function refusedByColumn(body: BodyEntry | undefined, dialect: Dialect, model: ContentModel): ApiError {
  const errors = body === undefined ? [] : [...misfitsOf(body, dialect, model)];
  if (errors.length === 0) return ApiError.of('body.out-of-range', { values: 'a value' });
  return ApiError.of('body.out-of-range', { values: errors.map(({ path }) => writtenPath(path)).join(', ') }, { errors });
}

function* misfitsOf(body: BodyEntry, dialect: Dialect, model: ContentModel): Generator<ListedProblem> {
  let found = 0;
  for (const { object, path } of locatedObjects(body)) {
    const attributes = schemaOf(model, object.uid)?.attributes;
    for (const [name, read] of object.scalars) {
      const attribute = attributes?.get(name);
      // The column of a password has its hash.
      if (attribute?.kind !== 'scalar' || attribute.type === 'password' || read.ok !== true || typeof read.value === 'bigint') continue;
      const misfit = dialect.misfit(read.value, { type: storedTypeOf(columnTypeOf(attribute)) });
      if (misfit === undefined) continue;
      yield { path: [...path, name], message: misfit, name: 'ValidationError' };
      if (++found === maxProblems) return;
    }
  }
}
