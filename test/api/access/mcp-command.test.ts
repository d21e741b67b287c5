/** `lectern mcp`, started by a real client as a program on a desk starts it. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { connectByCommand } from '../../support/mcp.ts';
import { runWithInput } from '../../support/run-with-input.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const note = 'api::note.note';
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe.each(anyEngine)('%s: lectern mcp', (engine) => {
  const api = useProject(engine, {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    tokens: { writer: [`${note}.find`, `${note}.create`, 'lectern::mcp.write'] },
    env: { LECTERN_MCP_ENABLED: 'true' },
  });
  const tokenOf = (who: string) => String(api.authorization(who).Authorization).slice('Bearer '.length);

  /** Sends lines to the command, ends its input, and waits for its end. */
  async function send(lines: readonly string[], url: string, token = tokenOf('writer')) {
    const input = lines.map((line) => `${line}\n`).join('');
    const { status, stdout, stderr } = await runWithInput(input, ['mcp', '--url', url], { LECTERN_API_TOKEN: token });
    return {
      status,
      messages: stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Json),
      stderr,
    };
  }

  it('connects a client to the server', async () => {
    const client = await connectByCommand(['--url', `${api.server.base}/api`], { LECTERN_API_TOKEN: tokenOf('writer') });
    try {
      expect(await client.tools()).toEqual(['list_types', 'describe_type', 'find', 'search', 'create']);
      expect((await client.call('create', { type: note, data: { title: 'ä "1"\n' } })).content.data).toMatchObject({ title: 'ä "1"\n' });
      expect((await client.call('find', { type: note })).content.data).toMatchObject([{ title: 'ä "1"\n' }]);
      expect(await client.refused('publish', { type: note, documentId: 'x' })).toBe('access.forbidden');
      expect(client.problems).toEqual([]);
    } finally {
      await client.close();
    }
  });

  it('ends with its input, after the responses', async () => {
    const sent = await send([ping, '', ping.replace('1}', '2}').replace('"id":1', '"id":2')], api.server.base);
    expect(sent).toMatchObject({ status: 0, stderr: '' });
    expect(sent.messages.map(({ id, result }) => [id, result]).sort()).toEqual([
      [1, {}],
      [2, {}],
    ]);
  });

  it.each([
    ['a line that is no JSON', 'nope', {}, { id: null, error: { code: -32700 } }],
    ['a message of another form', '{"id": 3}', {}, { id: 3, error: { message: expect.stringContaining('JSON-RPC') } }],
    ['a wrong token', ping, { token: 'abc' }, { id: 1, error: { message: '401 Missing or invalid credentials' } }],
    ['another path', ping, { path: '/nope' }, { id: 1, error: { message: expect.stringContaining('mcp.enabled') } }],
    [
      'a server that is not there',
      ping,
      { url: 'http://127.0.0.1:9' },
      { id: 1, error: { message: expect.stringContaining('did not respond') } },
    ],
  ])(
    '%s is an error with a reason',
    async (_, line, { token, path = '', url }: { token?: string; path?: string; url?: string }, expected) => {
      const { status, messages } = await send([line], url ?? `${api.server.base}${path}`, token);
      expect([status, messages]).toMatchObject([0, [{ jsonrpc: '2.0', ...expected }]]);
    },
  );

  it.each([
    ['without a token', [], {}, 'Set LECTERN_API_TOKEN'],
    ['with a URL of something else', ['--url', 'ftp://example.org'], { LECTERN_API_TOKEN: 'x' }, '--url must be the URL'],
    ['with a password in the URL', ['--url', 'http://a:b@example.org'], { LECTERN_API_TOKEN: 'x' }, '--url must be the URL'],
  ])('%s it does not start', async (_, args, env, problem) => {
    const { status, stdout, stderr } = await run(['mcp', ...args], env);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(problem)]);
  });
});
