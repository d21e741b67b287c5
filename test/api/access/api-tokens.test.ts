/** `lectern token` beside a running server: tokens as Strapi stores them. */
import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { apiTokenSalt, useProject } from '../../support/served-project.ts';
import { type Finished, run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const encryptionKey = 'key-for-tokens-that-are-shown-again';
const bound = 1500;

const files = schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' } } } });

describe.each(engines)('%s: lectern token', (engine) => {
  const served = useProject(engine, {
    files,
    types: [{ type: 'api::note.note', documents: [{ key: 'a', status: 'published', data: { title: 'a' } }] }],
  });
  const lectern = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run([...args, '--dir', served.project.dir], { ...served.environment, ...env });
  const create = (...args: readonly string[]) => lectern(['token', 'create', ...args]);
  const secretOf = ({ status, stdout, stderr }: Finished) => {
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const status = async (secret: string, method = 'GET', path = '/api/notes', body?: unknown) =>
    (await served.send('public', { method, path, headers: { Authorization: `Bearer ${secret}` }, ...(body === undefined ? {} : { body }) }))
      .status;
  const made = async (name: string, ...args: readonly string[]) => secretOf(await create('--name', name, '--type', 'full-access', ...args));

  it('create prints only the secret to stdout, and the token has the rights of its type', async () => {
    const finished = await create('--name', 'site', '--type', 'read-only');
    expect(finished).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[0-9a-f]{256}\n$/) });
    expect(finished.stderr).toMatch(/Created the API token "site" \(id \d+, read-only, does not expire\)/);
    expect(finished.stderr).not.toContain(secretOf(finished));
    expect(await status(secretOf(finished))).toBe(200);
    expect(await status(secretOf(finished), 'POST', '/api/notes', { data: { title: 'b' } })).toBe(403);
  });

  it('stores what Strapi stores', async () => {
    const before = Date.now();
    const options = ['--name', 'stored', '--type', 'custom', '--action', 'api::note.note.find', '--action', 'api::note.note.findOne'];
    const finished = await lectern(['token', 'create', ...options, '--expires', '7d', '--description', 'a site'], {
      ENCRYPTION_KEY: encryptionKey,
    });
    const secret = secretOf(finished);
    const [row = []] = await served.query(
      "SELECT id, document_id, description, kind, type, access_key, encrypted_key, lifespan, locale FROM strapi_api_tokens WHERE name = 'stored'",
    );
    const [id, documentId, description, kind, type, accessKey, encrypted, lifespan, locale] = row;
    expect({ description, kind, type, locale }).toEqual({ description: 'a site', kind: 'content-api', type: 'custom', locale: null });
    expect(documentId).toMatch(/^[a-z][a-z0-9]{23}$/);
    expect(accessKey).toBe(createHmac('sha512', apiTokenSalt).update(secret).digest('hex'));
    expect(decrypted(String(encrypted))).toBe(secret);
    const week = 7 * 86_400_000;
    expect(Number(lifespan)).toBeGreaterThan(week - 60_000);
    expect(Number(lifespan)).toBeLessThanOrEqual(week);
    const listed = await list();
    const end = Date.parse(String(listed.find(({ name }) => name === 'stored')?.expiresAt));
    expect(end).toBeGreaterThanOrEqual(before + week);
    expect(end).toBeLessThan(Date.now() + week);
    const permissions = await served.query(
      `SELECT p.action, l.api_token_permission_ord FROM strapi_api_token_permissions p JOIN strapi_api_token_permissions_token_lnk l
       ON l.api_token_permission_id = p.id WHERE l.api_token_id = ${Number(id)} ORDER BY l.api_token_permission_ord`,
    );
    expect(permissions.map(([action, place]) => [action, Number(place)])).toEqual([
      ['api::note.note.find', 1],
      ['api::note.note.findOne', 2],
    ]);
  });

  it('stores nothing that reveals the secret without ENCRYPTION_KEY', async () => {
    await made('unencrypted');
    expect(await served.query("SELECT encrypted_key FROM strapi_api_tokens WHERE name = 'unencrypted'")).toEqual([[null]]);
  });

  it('a custom token may do what its actions say, drafts and publishing included', async () => {
    const actions = ['find', 'findDraft', 'create', 'publish'].flatMap((action) => ['--action', `api::note.note.${action}`]);
    const secret = secretOf(await create('--name', 'editor', '--type', 'custom', ...actions));
    expect(await status(secret, 'GET', '/api/notes?status=draft')).toBe(200);
    expect(await status(secret, 'POST', '/api/notes', { data: { title: 'c' } })).toBe(201);
    const [[id] = []] = await served.query('SELECT document_id FROM notes ORDER BY id LIMIT 1');
    expect(await status(secret, 'POST', `/api/notes/${String(id)}/actions/publish`)).toBe(200);
    expect(await status(secret, 'DELETE', `/api/notes/${String(id)}`)).toBe(403);
  });

  it('that a token may write through MCP is an action of its own, also where the type has all others', async () => {
    const full = secretOf(await create('--name', 'assistant', '--type', 'full-access', '--mcp', 'write'));
    const custom = secretOf(await create('--name', 'helper', '--type', 'custom', '--action', 'api::note.note.find', '--mcp', 'write'));
    const tokens = (await list()).filter(({ name }) => name === 'assistant' || name === 'helper');
    expect(tokens.map(({ actions }) => actions)).toEqual([['lectern::mcp.write'], ['api::note.note.find', 'lectern::mcp.write']]);
    expect(await status(full, 'POST', '/api/notes', { data: { title: 'd' } })).toBe(201);
    expect([await status(custom), await status(custom, 'POST', '/api/notes', { data: { title: 'e' } })]).toEqual([200, 403]);
  });

  it('an expired token is refused, and so is a wrong secret', async () => {
    const secret = await made('brief', '--expires', '1h');
    expect(await status(secret)).toBe(200);
    await served.change(`UPDATE strapi_api_tokens SET expires_at = ${engineSql[engine].moment(1)} WHERE name = 'brief'`);
    await vi.waitFor(async () => expect(await status(secret)).toBe(401), bound);
    const rotated = await lectern(['token', 'rotate', 'brief']);
    expect(rotated).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('has expired') });
  });

  it.each(['name', 'id'])('revoke by %s ends the token of a running server, and deletes its rows', async (by) => {
    const name = `revoked by ${by}`;
    const secret = secretOf(await create('--name', name, '--type', 'custom', '--action', 'api::note.note.find'));
    expect(await status(secret)).toBe(200);
    const token = (await list()).find((each) => each.name === name);
    const rows = async () =>
      (await served.query('SELECT id FROM strapi_api_token_permissions')).length +
      (await served.query('SELECT id FROM strapi_api_token_permissions_token_lnk')).length;
    const before = await rows();
    const finished = await lectern(['token', 'revoke', by === 'id' ? String(token?.id) : name]);
    expect(finished).toMatchObject({ status: 0, stdout: `Revoked the API token "${name}" (id ${token?.id}).\n` });
    await vi.waitFor(async () => expect(await status(secret)).toBe(401), bound);
    expect(await rows()).toBe(before - 2);
    expect(await lectern(['token', 'revoke', name])).toMatchObject({
      status: 1,
      stderr: 'Lectern cannot go on: There is no such API token; `lectern token list` lists them.\n',
    });
  });

  it('rotate ends the old secret and keeps the rest', async () => {
    const old = secretOf(await create('--name', 'rotated', '--type', 'custom', '--action', 'api::note.note.find', '--expires', '30d'));
    const before = (await list()).find(({ name }) => name === 'rotated');
    expect(await status(old)).toBe(200);
    const secret = secretOf(await lectern(['token', 'rotate', 'rotated']));
    expect(secret).not.toBe(old);
    expect(await status(secret)).toBe(200);
    await vi.waitFor(async () => expect(await status(old)).toBe(401), bound);
    // Its use may have been written down meanwhile.
    expect({ ...(await list()).find(({ name }) => name === 'rotated'), lastUsedAt: null }).toEqual(before);
  });

  it('list shows what tokens are, never their secrets or hashes', async () => {
    const secret = await made('listed');
    const hash = createHmac('sha512', apiTokenSalt).update(secret).digest('hex');
    for (const args of [[], ['--json']]) {
      const finished = await lectern(['token', 'list', ...args]);
      expect(finished).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('listed') });
      expect(finished.stdout).not.toContain(secret);
      expect(finished.stdout).not.toContain(hash);
    }
  });

  it("tokens of the admin panel's own API are neither listed nor revoked", async () => {
    await made('of the panel');
    await served.change("UPDATE strapi_api_tokens SET kind = 'admin' WHERE name = 'of the panel'");
    expect((await list()).map(({ name }) => name)).not.toContain('of the panel');
    expect(await lectern(['token', 'revoke', 'of the panel'])).toMatchObject({ status: 1 });
    expect(await create('--name', 'of the panel', '--type', 'full-access')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('An API token with the name "of the panel" already exists'),
    });
  });

  it('only one of several commands that create a token of one name at once succeeds', async () => {
    const finished = await Promise.all([1, 2, 3].map(() => create('--name', 'contested', '--type', 'full-access')));
    expect(finished.map((each) => each.status).sort()).toEqual([0, 1, 1]);
  });

  it('does not guess which token is meant by a number that is a name and an id', async () => {
    await made('numbered');
    const token = (await list()).find(({ name }) => name === 'numbered');
    await made(String(token?.id));
    expect(await lectern(['token', 'revoke', String(token?.id)])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is the name of one API token and the id of another'),
    });
  });

  const once = it.runIf(anyEngine.includes(engine));
  const readOnly = (...args: readonly string[]) => ['--name', 'x', '--type', 'read-only', ...args];
  once.each<readonly [what: string, args: readonly string[], message: string]>([
    ['an unknown type', ['--name', 'x', '--type', 'admin'], 'type must be one of full-access, read-only, custom'],
    ['an empty name', ['--name', ' ', '--type', 'custom'], 'name must be a text of 1 to 255 characters'],
    ['a name too long for its column', ['--name', 'x'.repeat(256), '--type', 'read-only'], 'name must be a text of 1 to 255 characters'],
    ['a name with escapes', ['--name', 'a\u001b[2J', '--type', 'read-only'], 'without control characters'],
    ['a custom token without actions', ['--name', 'x', '--type', 'custom'], 'actions must not be empty'],
    ['actions of another type of token', readOnly('--action', 'api::note.note.find'), 'a read-only token has its own'],
    ['writing through MCP for a token that writes nothing', readOnly('--mcp', 'write'), 'a read-only token writes nothing'],
    ['a slip', ['--name', 'x', '--type', 'custom', '--action', 'api::note.note.fnd'], 'unknown action api::note.note.fnd; did you mean'],
    ['a time that is none', readOnly('--expires', 'soon'), 'expires must be a time from now'],
    ['a day that is none', readOnly('--expires', '2999-02-31'), 'expires must be a time from now'],
    ['the past', readOnly('--expires', '2020-01-01'), 'expires must be in the future'],
    ['no time', readOnly('--expires', '0d'), 'expires must be in the future'],
    ['the far future', readOnly('--expires', '9999999w'), 'expires must be before the year 10000'],
  ])('create refuses %s', async (_, args, message) => {
    const count = () => served.query('SELECT count(*) FROM strapi_api_tokens');
    const before = await count();
    const status = message.startsWith('unknown action') ? exitCodes.failed : exitCodes.usage;
    expect(await create(...args)).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) });
    expect(await count()).toEqual(before);
  });

  once('says that a salt is missing', async () => {
    const finished = await lectern(['token', 'create', '--name', 'x', '--type', 'read-only'], { API_TOKEN_SALT: '' });
    expect(finished).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('API_TOKEN_SALT') });
  });

  it.runIf(engine === 'sqlite' || engine === 'postgres')('says that there is no database', async () => {
    const [missing, says] =
      engine === 'sqlite'
        ? [{ DATABASE_FILENAME: 'nowhere.db' }, 'There is no database']
        : [{ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nowhere' }, 'The database does not respond at 127.0.0.1:1'];
    const finished = await lectern(['token', 'list'], missing);
    expect(finished).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(says) });
  });

  async function list(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return JSON.parse((await lectern(['token', 'list', '--json'])).stdout);
  }
});

/** As Strapi reads it. */
function decrypted(text: string): string {
  const [version, iv = '', encrypted = '', tag = ''] = text.split(':');
  expect(version).toBe('v1');
  const key = createHash('sha256').update(encryptionKey).digest();
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'hex'));
  decipher.setAuthTag(Buffer.from(tag, 'hex'));
  return decipher.update(encrypted, 'hex', 'utf8') + decipher.final('utf8');
}
