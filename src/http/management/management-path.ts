import { decoded } from '../../text/url-parts.ts';
import { isBelow } from '../routes/api-prefix.ts';

/** Below the prefix of the API. */
export const managementPath = (prefix: string): string => `${prefix}/_manage`;

/** Whether the router would match the path, as it is in the URL, to the management API. */
export function isManagementPath(path: string, prefix: string): boolean {
  const name = decoded(path);
  return name !== undefined && isBelow(managementPath(prefix))(name);
}
