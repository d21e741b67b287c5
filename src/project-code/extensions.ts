/** Finds the routes of a plugin that `src/extensions/<plugin>/strapi-server` changes. */
import { Evaluation } from './evaluate.ts';
import { exportOf } from './exports.ts';
import type { Finding, OwnRoute } from './project-code.ts';
import { isSource } from './read-module.ts';
import { ownRoute } from './routers.ts';
import type { SourceFiles } from './source-files.ts';
import { child, isFunction, lineOf, nameOf, namesIn, nodesAt, parseSource, pathOf, type SyntaxNode, unwrap, walk } from './syntax.ts';

/** Reports each changed action (`plugin::users-permissions.user.me`, or
 *  `plugin::users-permissions.user.*`), and adds the extension's own routes to `routes`. */
export function readExtensions(files: SourceFiles, report: (action: string, finding: Finding) => void, routes: OwnRoute[]): void {
  for (const plugin of files.folders('src/extensions')) {
    const folder = `src/extensions/${plugin}`;
    for (const name of files.files(folder)) {
      if (!isSource(name) || !name.startsWith('strapi-server.')) continue;
      const file = `${folder}/${name}`;
      const source = files.read(file);
      const changes = source.ok ? changesOf(source.text, { file, plugin }, routes) : [{ part: '*', line: 1 }];
      for (const { part, line } of changes) report(`plugin::${plugin}.${part}`, { what: 'an extension of the plugin', file, line });
    }
  }
}

interface Change {
  /** `user.me`, `user.*` or `*`. */
  readonly part: string;
  readonly line: number;
}

interface Extension {
  readonly file: string;
  readonly plugin: string;
}

/** Understands `plugin => { plugin.controllers.user.me = …; return plugin; }`. Any other use of the
 *  plugin counts as a change of all of it. */
function changesOf(text: string, extension: Extension, routes: OwnRoute[]): readonly Change[] {
  const root = parseSource(text);
  const exported = root === undefined ? undefined : exportOf(root);
  if (root === undefined || exported?.kind !== 'single') return [{ part: '*', line: 1 }];
  const extend = functionOf(exported.node, root);
  const body = child(extend, 'body');
  if (extend === undefined || body === undefined) return [{ part: '*', line: 1 }];
  const plugin = nameOf(nodesAt(extend, 'params')[0]);
  if (plugin === undefined) return [{ part: '*', line: lineOf(extend) }];
  if (body.type !== 'BlockStatement') return nameOf(unwrap(body)) === plugin ? [] : [{ part: '*', line: lineOf(body) }];
  const evaluation = new Evaluation(root);
  return nodesAt(body, 'body').flatMap((statement) => {
    if (!namesIn(statement).has(plugin) || isHarmless(statement, plugin)) return [];
    const added = addedRoutes(statement, plugin, extension, evaluation);
    routes.push(...(added ?? []));
    return added === undefined ? [{ part: partOf(statement, plugin) ?? '*', line: lineOf(statement) }] : [];
  });
}

/** Whether a statement changes nothing: `return plugin`, or
 *  `const me = plugin.controllers.user.me`, which a replacement calls later. */
function isHarmless(statement: SyntaxNode, plugin: string): boolean {
  if (statement.type === 'VariableDeclaration') {
    return nodesAt(statement, 'declarations').every((each) => {
      const path = pathOf(child(each, 'init'));
      return nameOf(child(each, 'id')) !== undefined && path[0] === plugin && path[1] === 'controllers' && path.length === 4;
    });
  }
  const returned = statement.type === 'ReturnStatement' ? child(statement, 'argument') : undefined;
  return nameOf(unwrap(returned)) === plugin;
}

/** The routes that `plugin.routes['content-api'].routes.push({ … })` adds. */
function addedRoutes(
  statement: SyntaxNode,
  plugin: string,
  { file, plugin: pluginName }: Extension,
  evaluation: Evaluation,
): readonly OwnRoute[] | undefined {
  const expression = statement.type === 'ExpressionStatement' ? child(statement, 'expression') : undefined;
  const path = expression?.type === 'CallExpression' ? pathOf(child(expression, 'callee')) : [];
  const isAdding = ['push', 'unshift'].some((method) => path.join(' ') === `${plugin} routes content-api routes ${method}`);
  if (!isAdding) return undefined;
  const added = nodesAt(expression, 'arguments').map((each) =>
    ownRoute(evaluation.expression(each), `plugin::${pluginName}`, `/${pluginName}`, file),
  );
  const read = added.filter((route) => route !== undefined);
  return read.length === added.length ? read : undefined;
}

function functionOf(exported: SyntaxNode, root: SyntaxNode): SyntaxNode | undefined {
  const node = unwrap(exported);
  if (isFunction(node)) return node;
  const name = nameOf(node);
  const declared: (SyntaxNode | undefined)[] = [];
  walk(root, (each) => {
    const isNamed = name !== undefined && nameOf(child(each, 'id')) === name;
    if (isNamed) declared.push(unwrap(each.type === 'VariableDeclarator' ? child(each, 'init') : each));
  });
  const [found, ...more] = declared;
  return found !== undefined && more.length === 0 && isFunction(found) ? found : undefined;
}

/** What `plugin.controllers.user.me = …` changes. The value may be anything without the plugin. */
function partOf(statement: SyntaxNode, plugin: string): string | undefined {
  const expression = statement.type === 'ExpressionStatement' ? child(statement, 'expression') : undefined;
  const path = expression?.type === 'AssignmentExpression' ? pathOf(child(expression, 'left')) : [];
  if (path[0] !== plugin || path[1] !== 'controllers' || path[2] === undefined) return undefined;
  return path.length === 4 ? `${path[2]}.${path[3]}` : path.length === 3 ? `${path[2]}.*` : undefined;
}
