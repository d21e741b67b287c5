import { ApiError } from '../../errors/api-error.ts';

const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** 'upload.no-room' for a full disk; any other error as it is. */
export const diskFullOr = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && full.has(error.code) ? ApiError.of('upload.no-room') : error;
