import type { Endpoint } from '../answered.ts';
import type { Method } from '../routes.ts';

/** Below `/api/_manage`. */
export type ManagementRoute = readonly [method: Method, path: string, endpoint: Endpoint];
