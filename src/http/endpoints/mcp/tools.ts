/** The tools of `/api/_mcp`. Few that work for every type: a tool for each type would fill the
 *  memory of the server and the context of the model. */
import { z } from 'zod';
import { mcpWrite, type Rights } from '../../../rights/rights.ts';
import { readTools } from './read-tools.ts';
import type { Tool, ToolParts } from './tool.ts';
import { writeTools } from './write-tools.ts';

const tools: ReadonlyMap<string, Tool> = new Map([...readTools, ...writeTools].map((tool) => [tool.name, tool]));

export const toolNamed = (name: string): Tool | undefined => tools.get(name);

export const mayWrite = (rights: Rights): boolean => rights.allows(mcpWrite);

/** As `tools/list` shows them; made once, since they are the same for all callers. */
const listed = new Map([...tools.values()].map((tool) => [tool, describe(tool)]));

export const openTools = (rights: Rights, parts: ToolParts) =>
  [...listed].flatMap(([tool, described]) => ((!tool.writes || mayWrite(rights)) && tool.isOpen(rights, parts) ? [described] : []));

function describe({ name, title, description, input, writes, changes = false }: Tool) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    title,
    description,
    inputSchema: { ...schema, type: 'object' as const },
    annotations: { title, readOnlyHint: !writes, destructiveHint: changes, openWorldHint: false },
  };
}
