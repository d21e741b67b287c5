/** What Node, the operating system and the drivers say of a failure. */

/** `ENOENT`, `SQLITE_FULL`; undefined for an error without a code. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const diskFull: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);
const forbidden: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Whether no space is left, or a limit on the size of files is reached. */
export const isDiskFull = (error: unknown): boolean => diskFull.has(codeOf(error));
/** Whether this process may not write there. */
export const isForbidden = (error: unknown): boolean => forbidden.has(codeOf(error));
/** Whether there is no such file: it is missing, or what should be its folder is a file. */
export const isNoFile = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');

/** For sentences about what this process may do. */
export const processUser = () => (process.getuid === undefined ? 'this process' : `this process (user id ${process.getuid()})`);
