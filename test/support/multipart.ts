/** Forms with files, as browsers and `fetch` send them. */
import type { SentRequest } from './http.ts';

export interface FilePart {
  readonly name: string;
  readonly file: Uint8Array<ArrayBuffer> | string;
  readonly type?: string;
  readonly filename: string;
}

export interface TextPart {
  readonly name: string;
  readonly value: string;
}

export type Part = FilePart | TextPart;

/** The body and the header of a request. */
export async function multipart(parts: readonly Part[]): Promise<Pick<SentRequest, 'body' | 'headers'>> {
  const form = new FormData();
  for (const part of parts) {
    if ('file' in part) form.append(part.name, new Blob([part.file], { type: part.type ?? 'application/octet-stream' }), part.filename);
    else form.append(part.name, part.value);
  }
  // Nothing else writes a form down.
  const written = new Response(form);
  return {
    body: new Uint8Array(await written.arrayBuffer()),
    headers: { 'content-type': written.headers.get('content-type') ?? '' },
  };
}
