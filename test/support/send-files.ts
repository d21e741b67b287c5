/** Uploads as forms of browsers send them. */
import type { Json, Served } from './served-project.ts';

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array | string;
}

export interface UploadAnswer {
  readonly status: number;
  readonly text: string;
  /** The files in a successful response. */
  readonly files: readonly Json[];
}

/** `query` begins with `?`. */
export async function sendFiles(
  api: Pick<Served, 'authorization' | 'server'>,
  files: readonly SentFile[],
  { who = 'full', query = '' } = {},
): Promise<UploadAnswer> {
  const form = new FormData();
  for (const { name, type, bytes } of files) form.append('files', new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name);
  const headers = api.authorization(who);
  const response = await fetch(`${api.server.base}/api/upload${query}`, { method: 'POST', headers, body: form });
  const text = await response.text();
  const found: unknown = response.ok ? JSON.parse(text) : [];
  return { status: response.status, text, files: (Array.isArray(found) ? found : [found]).filter(isJson) };
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
