/** The hooks and endpoints that a project has already, read as text: `doctor` runs no code. */
import { codeFilesOf } from '../own-code/code-files.ts';
import type { EndpointManifest } from '../own-code/protocol.ts';
import type { Method } from '../own-code/types.ts';
import { Evaluation } from '../project-code/evaluate.ts';
import type { SourceFiles } from '../project-code/source-files.ts';
import { chainOf, child, nodesAt, parseSource, type SyntaxNode, walk } from '../project-code/syntax.ts';
import { entryOf, textIn } from '../project-code/value.ts';

export interface OwnCodeFiles {
  /** Uid → file. */
  readonly hooks: ReadonlyMap<string, string>;
  readonly endpoints: readonly EndpointManifest[];
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly Method[];

export function readOwnCodeFiles(dir: string, files: SourceFiles): OwnCodeFiles {
  const hooks = new Map<string, string>();
  const endpoints: EndpointManifest[] = [];
  for (const { kind, path } of codeFilesOf(dir)) {
    const source = files.read(path);
    const root = source.ok ? parseSource(source.text) : undefined;
    if (root === undefined) continue;
    for (const argument of callsOf(root, kind === 'hooks' ? 'defineHooks' : 'defineEndpoint')) {
      const value = new Evaluation(root).expression(argument);
      if (kind === 'hooks') {
        const uid = textIn(value);
        if (uid !== undefined) hooks.set(uid, path);
      } else {
        const [method, at] = ['method', 'path'].map((name) => textIn(entryOf(value, name)));
        if (method === undefined || at === undefined || !methods.includes(method)) continue;
        endpoints.push({ ...undescribed, file: path, index: endpoints.length, method: method as Method, path: at });
      }
    }
  }
  return { hooks, endpoints };
}

/** Whether the right exists is a question for `lectern check`. */
const undescribed = {
  right: 'public',
  description: undefined,
  timeLimit: undefined,
  query: undefined,
  body: undefined,
  response: undefined,
};

/** The first arguments of the calls of a function. */
function callsOf(root: SyntaxNode, name: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  walk(root, (node) => {
    const [argument] = node.type === 'CallExpression' ? nodesAt(node, 'arguments') : [];
    if (argument !== undefined && chainOf(child(node, 'callee')).at(-1) === name) found.push(argument);
  });
  return found;
}
