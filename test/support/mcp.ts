/** A real client of the Model Context Protocol. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json } from './served-project.ts';
import { command } from './server.ts';

export interface ToolResult {
  readonly isError: boolean;
  /** `structuredContent`, which says the same as the text. */
  readonly content: Json;
  readonly text: string;
}

export interface McpClient {
  readonly client: Client;
  /** The problems that the client reported besides its results. */
  readonly problems: readonly unknown[];
  tools(): Promise<readonly string[]>;
  call(name: string, given?: Json): Promise<ToolResult>;
  /** The code of the error that the call must end with. */
  refused(name: string, given?: Json): Promise<string>;
  close(): Promise<void>;
}

export const connectByHttp = (base: string, headers: Readonly<Record<string, string>>, path = '/api/_mcp') =>
  connect(new StreamableHTTPClientTransport(new URL(`${base}${path}`), { requestInit: { headers } }));

/** Through the command, as a program on a desk starts it. */
export const connectByCommand = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  connect(new StdioClientTransport({ command: process.execPath, args: [command, 'mcp', ...args], env: { ...env }, stderr: 'pipe' }));

async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' });
  const problems: unknown[] = [];
  client.onerror = (error) => problems.push(error);
  // The SDK's own types disagree under `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const call = async (name: string, given: Json = {}): Promise<ToolResult> => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: given });
    const [{ text = '' } = {}] = content as readonly { readonly text?: string }[];
    return { isError: isError === true, content: structuredContent as Json, text };
  };
  return {
    client,
    problems,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call,
    async refused(name, given) {
      const { isError, content, text } = await call(name, given);
      if (!isError) throw new Error(`${name} succeeded: ${text.slice(0, 500)}`);
      return String((content.error as Json).code);
    },
    close: () => client.close(),
  };
}
