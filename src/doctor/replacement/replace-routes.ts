/** What replaces the code of routes: rights, settings and lookups where they can, otherwise hooks
 *  and endpoints. */
import { governing } from '../../http/routes/project-routes.ts';
import type { Method, Route } from '../../http/routes/routes.ts';
import { userUid } from '../../model/built-in-types.ts';
import type { ContentType } from '../../model/content-model.ts';
import { lookupAttributes } from '../../model/lookup-attributes.ts';
import { behaviourOf } from '../../project-code/behaviour.ts';
import type { Piece } from '../../project-code/open-code.ts';
import type { Finding } from '../../project-code/project-code.ts';
import { ownRouteWords } from '../../project-code/routers.ts';
import { child, findNode, lineOf, nameOf } from '../../project-code/syntax.ts';
import { handlerPiece } from '../describe-code.ts';
import { type CodeFacts, factsOf } from './code-facts.ts';
import { replaceHooks } from './replace-hooks.ts';
import { pages, type Replacement, type ReplacementContext, together, withCode, withoutCode } from './replacement.ts';
import type { HookAction } from './sketch-book.ts';

const byEndpoint = 'an endpoint with the method and path of the route, which it replaces';
const perhapsByEndpoint = '; if it does more, an endpoint with the method and path of the route';

/** The code of a route of Lectern's. `api`: the API that its names belong to. */
export function replaceCodeOfRoute(
  route: Route,
  findings: readonly Finding[],
  api: string | undefined,
  context: ReplacementContext,
): Replacement | undefined {
  const found = together(findings.map((each) => replaceFinding(route, each, api, context)));
  // Where one function needs an endpoint, the others need no further one.
  return found?.what.includes(byEndpoint) === true ? { ...found, what: found.what.replaceAll(perhapsByEndpoint, '') } : found;
}

function replaceFinding(route: Route, found: Finding, api: string | undefined, context: ReplacementContext): Replacement | undefined {
  const { code } = context;
  const { what, names = [] } = found;
  // Without the name of the route, so that the report names all such routes at once.
  if (what === 'auth: false') return withoutCode('the right in the role of visitors: `lectern role allow public …`', pages.access);
  if (what === 'auth' || what.endsWith('cannot be read')) return undefined;
  if (what === 'policies' || what === 'middlewares') {
    const pieces = names.map((name) => code.named(what, name, api));
    return together(pieces.map((piece) => replaceGuard(route, piece, what, context)));
  }
  const piece = what === ownRouteWords ? handlerPiece(code, found, api) : code.at(found.file, found.line);
  return piece === undefined ? undefined : replaceFunction(route, piece, context);
}

const typeOf = ({ serves }: Route): ContentType | undefined => ('type' in serves ? serves.type : undefined);

/** A policy or a middleware; undefined for one whose code is not in the project. */
function replaceGuard(route: Route, piece: Piece | undefined, what: string, context: ReplacementContext): Replacement {
  const facts = piece === undefined ? undefined : factsOf(piece, context.code);
  const found =
    piece === undefined || facts === undefined
      ? undefined
      : (replaceRestriction(facts, route, context) ?? replaceByHooks(route, piece, facts, context));
  if (found !== undefined) return found;
  if (what === 'policies' && facts?.readsCaller === true) return signedIn;
  return what === 'policies'
    ? withCode(
        'rights with presets or restrictions if they suffice, otherwise an endpoint with the method and path of the route',
        pages.access,
      )
    : withCode('an endpoint with the method and path of the route', pages.endpoints);
}

/** What rights and settings do without code. */
function replaceRestriction(facts: CodeFacts, route: Route, context: ReplacementContext): Replacement | undefined {
  const type = typeOf(route);
  if (facts.readsCaller && isOwnProfile(route)) return ownProfile(context.prefix);
  // Where a document is created, its owner is set rather than compared.
  const restricts = facts.comparesCaller || (facts.ownerNames.length > 0 && !governing(route).endsWith('.create'));
  if (facts.readsCaller && restricts) {
    const attribute = ownerAttribute(facts, type);
    if (type !== undefined && attribute !== undefined)
      context.book.addRight({ uid: type.uid, action: governing(route).slice(type.uid.length + 1), value: { preset: 'owner', attribute } });
    const named = attribute === undefined ? 'the attribute that names the owner' : `the attribute ${attribute}`;
    return withoutCode(
      `the preset owner in permissions.json, with ${named}, since it seems to compare an owner with the caller`,
      pages.access,
    );
  }
  if (facts.readsRole) return withoutCode('rights of roles, since it seems to read the role of the caller', pages.access);
  if (facts.readsHeaders && facts.setsFilters)
    return withoutCode(
      'the preset tenant in permissions.json, since it seems to restrict documents by a header; the tenant is then that of the user',
      pages.access,
    );
  if (facts.readsHeaders && facts.refuses) return withoutCode('API tokens, since it seems to check a header', pages.access);
  if (facts.setsPopulate) return withoutCode('the setting `populate`', pages.query);
  if (facts.filtersPublished) return withoutCode('the preset published-only in permissions.json', pages.access);
  if (facts.readsCaller && facts.refuses && facts.assigned.length === 0) return signedIn;
  return undefined;
}

const signedIn = withoutCode('a right of signed-in users, since it seems to ask whether there is a caller', pages.access);

const isOwnProfile = ({ action }: Route): boolean => /^plugin::users-permissions\.user\.update(?:Me)?$/.test(action);

const ownProfile = (prefix: string): Replacement =>
  withoutCode(`PUT ${prefix}/users/me with the setting auth.ownFields, if it changes the caller's own profile`, pages.access);

/** A name that is compared with the caller, or else the only relation to users. */
function ownerAttribute({ ownerNames }: CodeFacts, type: ContentType | undefined): string | undefined {
  const named = ownerNames.find((name) => type?.attributes.has(name) === true);
  if (named !== undefined || type === undefined) return named;
  const relations = [...type.attributes.values()].filter(
    (each) => each.kind === 'relation' && each.target === userUid && each.name !== 'createdBy' && each.name !== 'updatedBy',
  );
  return relations.length === 1 ? relations[0]?.name : undefined;
}

/** A function of a controller or a service in place of Strapi's own. */
function replaceFunction(route: Route, piece: Piece, context: ReplacementContext): Replacement {
  const facts = factsOf(piece, context.code);
  const type = typeOf(route);
  const slug = type === undefined ? undefined : lookupOf(facts, type);
  if (slug !== undefined && type !== undefined && route.action.endsWith('.findOne'))
    return withoutCode(
      `GET ${context.prefix}/${type.pluralName}/by/${slug}/:value, since it seems to look up documents by ${slug}`,
      pages.query,
    );
  if (facts.readsCaller && isOwnProfile(route)) return ownProfile(context.prefix);
  const isWrite = writeOf(route) !== undefined;
  const populates = isWrite ? { setsPopulate: false } : { setsPopulate: facts.setsPopulate || facts.populatesReads };
  const restriction = replaceRestriction({ ...facts, ...populates }, route, context);
  // The right refuses what the code refuses.
  const others = restriction === undefined ? facts : { ...facts, refuses: false };
  const found = together([restriction, isWrite ? replaceByHooks(route, piece, others, context) : undefined]);
  if (found === undefined) return replaceByEndpoint(route, piece, facts, context);
  if (facts.callsSuper) return found;
  // What it does in place of Strapi's function is not all known.
  const what = `${found.what}${perhapsByEndpoint}`;
  return { ...found, what, needsCode: true, pages: [...new Set([...found.pages, pages.endpoints])] };
}

const writeOf = (route: Route): HookAction | undefined =>
  (['create', 'update', 'delete'] as const).find((action) => governing(route).endsWith(`.${action}`));

function replaceByHooks(route: Route, piece: Piece, facts: CodeFacts, context: ReplacementContext): Replacement | undefined {
  const type = typeOf(route);
  const action = writeOf(route);
  // A function in place of Strapi's own writes documents of its type itself.
  const writes = facts.writes.filter(({ uid }) => uid !== undefined && uid !== type?.uid);
  const isHook = facts.assigned.length > 0 || facts.sendsMail || facts.sendsRequests || writes.length > 0 || facts.refuses;
  if (type === undefined || action === undefined || !isHook) return undefined;
  return replaceHooks([type.uid], [{ piece, place: undefined, actions: [action], facts: { ...facts, writes } }], false, context);
}

function replaceByEndpoint(route: Route, piece: Piece, facts: CodeFacts, { book, prefix }: ReplacementContext): Replacement {
  const file = book.addEndpoint({
    method: route.method,
    path: withoutPrefix(route.path, prefix),
    right: governing(route),
    ...describeHandler(piece, facts),
  });
  return withCode(byEndpoint, pages.endpoints, [file]);
}

const withoutPrefix = (path: string, prefix: string) => (path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path);

/** What the code of a handler seems to do, as comments with what does it in an endpoint. */
function describeHandler(piece: Piece | undefined, facts: CodeFacts | undefined) {
  const does = piece === undefined ? [] : behaviourOf(piece.node);
  const context = ['params', 'query'];
  const comments = piece === undefined ? [] : [`${piece.file}:${lineOf(piece.node)}${does.length === 0 ? '' : ` ${does.join('; ')}`}`];
  for (const uid of facts?.reads ?? []) comments.push(`const { data } = await documents('${uid}').find({ … });`);
  for (const { verb, uid = 'api::…' } of facts?.writes ?? [])
    comments.push(
      `await asSystem.documents('${uid}').${verb}(${verb === 'create' ? '{ … }' : verb === 'update' ? 'params.id, { … }' : 'params.id'});`,
    );
  if ((facts?.reads.length ?? 0) > 0) context.push('documents');
  // Strapi's document service asks for no rights.
  if ((facts?.writes.length ?? 0) > 0) context.push('asSystem');
  if (facts?.readsCaller === true) context.push('caller');
  if (facts?.sendsMail === true) {
    context.push('mail');
    comments.push("await mail({ to: '…', subject: '…', text: '…' });");
  }
  if (facts?.sendsRequests === true) {
    context.push('fetch', 'signal');
    comments.push("const response = await fetch('https://…', { signal });");
  }
  return { comments, context };
}

/** The attribute whose value the code looks for, if it names a document. */
const lookupOf = ({ lookupNames }: CodeFacts, type: ContentType): string | undefined => {
  const possible = lookupAttributes(type).map(({ name }) => name);
  return lookupNames.find((name) => possible.includes(name));
};

/** A route that the project defines itself. */
export function replaceOwnRoute(route: Route, found: Finding, api: string | undefined, context: ReplacementContext): Replacement {
  const { book, model, prefix } = context;
  const piece = handlerPiece(context.code, found, api);
  const facts = piece === undefined ? undefined : factsOf(piece, context.code);
  const path = withoutPrefix(route.path, prefix);
  const [only, ...more] = facts?.reads ?? [];
  const type = model?.contentTypes.get(only ?? (api === undefined ? '' : `api::${api}.${api}`));
  const slug = facts === undefined || type === undefined ? undefined : lookupOf(facts, type);
  if (route.method === 'GET' && slug !== undefined && type !== undefined && more.length === 0 && /\/:[^/]+$/.test(path))
    return withoutCode(`GET ${prefix}/${type.pluralName}/by/${slug}/:value, since it seems to look up documents by ${slug}`, pages.query);
  if (/^P(?:UT|ATCH)$/.test(route.method) && /^\/(?:users?\/me|me|profile)$/.test(path)) return ownProfile(prefix);
  // A secret in a header is what an API token is for.
  const checksHeader = facts?.readsHeaders === true && facts.refuses;
  const isPublic = hasNoAuth(context.code.at(found.file, found.line)) && !checksHeader;
  const file = book.addEndpoint({
    method: route.method as Method,
    path,
    right: isPublic ? 'public' : rightOf(route.action, path),
    ...describeHandler(piece, facts),
  });
  const token = checksHeader ? '; an API token with its right, since it seems to check a header' : '';
  return withCode(`an endpoint for ${route.method} ${path}${token}`, pages.endpoints, [file]);
}

const hasNoAuth = (route: Piece | undefined): boolean =>
  route !== undefined &&
  findNode(
    route.node,
    (node) => node.type === 'Property' && nameOf(child(node, 'key')) === 'auth' && child(node, 'value')?.value === false,
  ) !== undefined;

/** `api::article.article.newest` → `article.newest`. */
function rightOf(action: string, path: string): string {
  const [, owner, name] = /([a-z][\w-]*)\.([a-z][\w-]*)$/i.exec(action) ?? [];
  const [first = 'project', ...rest] = path.split('/').filter((part) => /^[a-z][\w-]*$/i.test(part));
  return owner !== undefined && name !== undefined ? `${owner}.${name}` : `${first}.${rest.join('-') || 'call'}`;
}
