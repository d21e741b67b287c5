/** The restrictions of rights to files, checked in the transaction of a change. */
import type { Connection } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Checks } from '../../../media/library/media-library.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { ReachRow } from '../../../pipeline/call.ts';
import type { Restriction } from '../../../rights/restrictions.ts';

export interface FileChecks {
  /** The changed files must be within the restriction. */
  within(connection: Connection, ids: readonly number[], own: Restriction | undefined): Promise<void>;
  /** Files must be within the restriction before and after the change. */
  reachable(ids: readonly number[], own: Restriction | undefined): Required<Pick<Checks, 'before' | 'after'>>;
}

export function fileChecks(type: ContentType, reachRow: ReachRow): FileChecks {
  const isReached = async (connection: Connection, id: number, own: Restriction | undefined) =>
    (await reachRow(connection, type, id, { own })) !== undefined;

  const within: FileChecks['within'] = async (connection, ids, own) => {
    if (own === undefined) return;
    for (const id of ids) if (!(await isReached(connection, id, own))) throw ApiError.of('access.outside');
  };

  return {
    within,
    reachable: (ids, own) => ({
      // Missing files and files outside of the restriction get the same error: callers cannot tell.
      async before(connection) {
        for (const id of ids) if (!(await isReached(connection, id, own))) throw ApiError.of('upload.unknown-file');
      },
      after: (connection) => within(connection, ids, own),
    }),
  };
}
