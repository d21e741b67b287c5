import { ApiError } from '../../errors/api-error.ts';
import { isDiskFull } from '../../errors/system-error.ts';

/** 'upload.no-room' for a full disk; any other error as it is. */
export const diskFullOr = (error: unknown): unknown => (isDiskFull(error) ? ApiError.of('upload.no-room') : error);

/** The error of a failed file operation: 'upload.no-room' for a full disk, 'upload.storage' for
 *  other failures of the system. Other errors are returned as they are. */
export function localStorageError(error: unknown): unknown {
  const failure = diskFullOr(error);
  if (failure instanceof ApiError || !(failure instanceof Error) || !('syscall' in failure)) return failure;
  return ApiError.causedBy(failure, 'upload.storage', undefined);
}
