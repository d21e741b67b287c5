import { ApiError } from '../../errors/api-error.ts';
import { diskFullOr } from './disk-full.ts';

/** What it means that the disk does not do what the library asks of it. Without room 'upload.no-room'; where it is the place that is wrong, such as a
 *  folder that this process may not write to, 'upload.storage', since no caller can do anything about it. What is no failure of the system stays. */
export function localStorageError(error: unknown): unknown {
  const failure = diskFullOr(error);
  if (failure instanceof ApiError || !(failure instanceof Error) || !('syscall' in failure)) return failure;
  return ApiError.causedBy(failure, 'upload.storage', undefined);
}
