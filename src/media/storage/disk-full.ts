import { ApiError } from '../../errors/api-error.ts';

const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What a failure of the file system means for the caller: that there is no room, or nothing that it could know of. */
export const diskFullOr = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && full.has(error.code) ? ApiError.of('upload.no-room') : error;
