/** Returns the text of a response body, which is UTF-8 if it is bytes. */
export const textOfBody = (body: string | Uint8Array): string => (typeof body === 'string' ? body : new TextDecoder().decode(body));
