/** The receiver in docs/events.md accepts what a server sends, and nothing that others have made or changed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newSecret, signedHeaders } from '../../src/events/webhooks/sign-webhook.ts';
import { anyEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';

const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
const [, source = ''] = /```js\n(import [\s\S]*?)```/.exec(page) ?? [];
const secret = newSecret();

describe.each(anyEngine)('%s: the receiver in docs/events.md', (engine) => {
  let child: ChildProcess | undefined;
  let folder = '';
  let port = 0;
  let printed = '';
  beforeAll(async () => {
    port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'lectern-receiver-'));
    writeFileSync(join(folder, 'receiver.mjs'), source);
    child = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env: { PORT: String(port), SITE_WEBHOOK_SECRET: secret } });
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk);
    });
    await vi.waitFor(() => post('{}', {}), { timeout: 20_000 });
  });
  afterAll(() => {
    child?.kill();
    rmSync(folder, { recursive: true });
  });
  const post = async (body: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status;
  const api = useProject(engine, {
    files: schemaFiles({ tag: { attributes: { name: { type: 'string' } } } }),
    env: () => ({
      LECTERN_EVENTS_ALLOW_PRIVATE: '127.0.0.1',
      LECTERN_WEBHOOKS: JSON.stringify([{ name: 'site', url: `http://127.0.0.1:${port}/`, events: ['create'], secret }]),
    }),
  });

  it('accepts a message of the server', async () => {
    const { documentId } = await api.write('POST', '/api/tags', { name: 'signed – ü' });
    await expect.poll(() => printed).toBe(`entry.create ${String(documentId)}\n`);
  });

  it('accepts one of two signatures, and refuses what is changed, old, or not signed', async () => {
    const now = Math.floor(Date.now() / 1000);
    const message = { id: 'msg_1', timestamp: now, body: '{"event":"entry.create","documentId":"x"}' };
    expect(await post(message.body, signedHeaders(message, [newSecret(), secret]))).toBe(204);
    expect(await post(`${message.body} `, signedHeaders(message, [secret]))).toBe(401);
    expect(await post(message.body, signedHeaders(message, [newSecret()]))).toBe(401);
    expect(await post(message.body, { ...signedHeaders(message, [secret]), 'webhook-id': 'msg_2' })).toBe(401);
    for (const timestamp of [now - 3600, now + 3600])
      expect(await post(message.body, signedHeaders({ ...message, timestamp }, [secret]))).toBe(401);
    expect(await post(message.body, signedHeaders(message, []))).toBe(401);
  });
});
