import { type EndpointResponse, jsonResponse } from '../send-response.ts';

export const sendData = (data: unknown, status = 200): EndpointResponse => ({ ...jsonResponse({ data }), status });
