import type { Method } from '../routes/routes.ts';
import { type Endpoint, type EndpointResponse, jsonResponse } from '../send-response.ts';

/** Below `/api/_manage`. */
export type ManagementRoute = readonly [method: Method, path: string, endpoint: Endpoint];

export const sendData = (data: unknown, status = 200): EndpointResponse => ({ ...jsonResponse({ data }), status });
