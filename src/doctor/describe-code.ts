/** What the code behind a finding of `src/project-code` seems to do. */
import { behaviourOf } from '../project-code/behaviour.ts';
import type { Code, Piece } from '../project-code/open-code.ts';
import type { Finding } from '../project-code/project-code.ts';
import { ownRouteWords } from '../project-code/routers.ts';
import { chainOf, child, findNode, lineOf, type SyntaxNode } from '../project-code/syntax.ts';
import type { CodePlace } from './findings.ts';

/** The code of a route's finding: the policies or middlewares that it names, or the code there. */
export function placesOf(code: Code, found: Finding, api: string | undefined): readonly CodePlace[] {
  if (found.names !== undefined) {
    const kind = found.what === 'policies' ? 'policies' : 'middlewares';
    return found.names.map((name) => placeOf(code.named(kind, name, api), name));
  }
  if (found.what === ownRouteWords) return handlerOf(code, found, api);
  // There is no code in `auth: false`, and none to describe where it cannot be read.
  if (/^auth|cannot be read$/.test(found.what)) return [];
  const piece = code.at(found.file, found.line);
  return [{ file: found.file, line: found.line, seemsTo: piece === undefined ? [] : behaviourOf(piece.node) }];
}

/** A piece of code under its name. */
export function placeOf(piece: Piece | undefined, name?: string): CodePlace {
  const named = name === undefined ? {} : { name };
  if (piece === undefined) return { ...named, seemsTo: [] };
  return { ...named, file: piece.file, line: lineOf(piece.node), seemsTo: behaviourOf(piece.node) };
}

/** The function that handles a route of the project: the one that `handler` names (`article.bySlug`
 *  in the API `article`), or the one in the route itself. */
export function handlerOf(code: Code, route: Finding, api: string | undefined): readonly CodePlace[] {
  const piece = code.at(route.file, route.line);
  const found = handlerPiece(code, route, api);
  const name = nameOfHandler(piece);
  if (isNamed(name, api)) return [placeOf(found, name)];
  return piece === undefined ? [] : [{ file: route.file, line: route.line, seemsTo: behaviourOf(piece.node) }];
}

const handlerName = /^(?:api::([\w-]+)\.)?([\w-]+)\.([\w-]+)$/;

/** The text of `handler`, if it is one. */
function nameOfHandler(route: Piece | undefined): string | undefined {
  const handler = route === undefined ? undefined : child(functionNamed(route.node, 'handler'), 'value');
  return typeof handler?.value === 'string' ? handler.value : undefined;
}

const isNamed = (name: string | undefined, api: string | undefined): boolean => {
  const match = handlerName.exec(name ?? '');
  return match !== null && (match[1] ?? api) !== undefined;
};

/** The function of the controller that `handler` names, or the route with a function in it. */
export function handlerPiece(code: Code, route: Finding, api: string | undefined): Piece | undefined {
  const piece = code.at(route.file, route.line);
  const name = nameOfHandler(piece);
  if (!isNamed(name, api)) return piece;
  const [, owner = api, controller, action = ''] = handlerName.exec(name ?? '') ?? [];
  const found = code.named('controllers', `api::${owner}.${controller}`, undefined);
  const node = found === undefined ? undefined : functionNamed(found.root, action);
  return found === undefined || node === undefined ? undefined : { ...found, node };
}

/** The property, method or assignment of that name. */
function functionNamed(root: SyntaxNode, name: string): SyntaxNode | undefined {
  return findNode(root, (node) => {
    const isNamed = node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition';
    const key = isNamed ? child(node, 'key') : node.type === 'AssignmentExpression' ? child(node, 'left') : undefined;
    return chainOf(key).at(-1) === name || key?.value === name;
  });
}
