import type { Method } from '../routes/routes.ts';
import type { Endpoint } from '../send-response.ts';

/** Below `/api/_manage`. */
export type ManagementRoute = readonly [method: Method, path: string, endpoint: Endpoint];
