/** Every route of the Content API, made from the model. */
import { fileUid, userUid } from '../../model/built-in-types.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import { linkingRelations } from '../../model/linking-relations.ts';
import { lookupAttributes } from '../../model/lookup-attributes.ts';
import type { EndpointManifest } from '../../own-code/protocol.ts';
import type { WriteAction } from '../../pipeline/call.ts';
import type { Finding } from '../../project-code/project-code.ts';
import { decoded } from '../../text/url-parts.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** With `:name` for parameters. */
  readonly path: string;
  /** The right that a caller needs. */
  readonly action: string;
  /** Whether every caller may call it: the response has only what the caller may see. */
  readonly isUnrestricted?: boolean;
  readonly serves: Served;
  /** Custom code that Strapi would run: the route responds with 501, unless it is forwarded. */
  readonly findings?: readonly Finding[];
  /** Whether its requests are forwarded to `upstream`. */
  readonly isForwarded?: boolean;
}

export type Served =
  | { readonly kind: 'content'; readonly type: ContentType; readonly target: 'list' | 'document' | 'single' }
  | { readonly kind: 'aggregate' | 'bulk' | 'lookup' | 'related' | 'versions' | 'references'; readonly type: ContentType }
  | OfHistory
  | OfSchedule
  | { readonly kind: 'write'; readonly type: ContentType; readonly action: WriteAction; readonly partial: boolean }
  | { readonly kind: 'endpoint'; readonly endpoint: EndpointName }
  /** An endpoint of the project. */
  | { readonly kind: 'code'; readonly endpoint: EndpointManifest }
  /** A route of a Strapi project's code, which is not run. */
  | { readonly kind: 'own' };

interface OfSchedule {
  readonly kind: ScheduleRoute;
  readonly type: ContentType;
}

interface OfHistory {
  readonly kind: HistoryRoute;
  readonly type: ContentType;
}

const releaseNames = ['releases', 'createRelease', 'release', 'changeRelease', 'deleteRelease', 'publishRelease'] as const;

/** Endpoints that Strapi lacks. */
const addedEndpoints: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'me',
  'validate',
  'batch',
  'schedules',
  ...releaseNames,
  'counts',
  'search',
  'beHere',
  'leave',
  'fileReferences',
  'updateMe',
]);

/** Whether Strapi has no such route: code of the project cannot mean it. */
export const isAddition = ({ serves }: Route): boolean =>
  serves.kind === 'aggregate' ||
  serves.kind === 'bulk' ||
  serves.kind === 'lookup' ||
  serves.kind === 'related' ||
  serves.kind === 'versions' ||
  serves.kind === 'references' ||
  isOfHistory({ serves }) ||
  isOfSchedule({ serves }) ||
  (serves.kind === 'endpoint' && addedEndpoints.has(serves.endpoint));

/** Whether it is about former versions. */
export const isOfHistory = (route: Pick<Route, 'serves'>): route is { readonly serves: OfHistory } =>
  historyRoutes.some(([, , kind]) => route.serves.kind === kind);

export const isOfSchedule = ({ serves }: Pick<Route, 'serves'>): boolean => scheduleRoutes.some(([, kind]) => serves.kind === kind);

/** A type of a project wins over a plugin's endpoint on the same path, as in Strapi. */
export function routesOf(model: ContentModel): readonly Route[] {
  const found = new Map<string, Route>();
  const types = [...model.contentTypes.values()].filter((type) => type.routed);
  for (const route of [...types.flatMap(contentRoutes), ...routesOfPlugins(model), ...toolRoutes]) {
    const key = `${route.method} ${route.path.replaceAll(/:\w+/g, ':').toLowerCase()}`;
    if (!found.has(key)) found.set(key, route);
  }
  return [...found.values()];
}

/** A route for every caller: the endpoint decides what the response has. */
const openRoute = (method: Method, path: string, endpoint: EndpointName, action: string = endpoint): Route => ({
  method,
  path,
  action,
  isUnrestricted: true,
  serves: { kind: 'endpoint', endpoint },
});

/** For tools: what the caller may do, how many documents there are, what a write would refuse,
 *  several writes at once, what is published together or at a time, and which users edit a document. */
const toolRoutes: readonly Route[] = [
  openRoute('GET', '/api/_me', 'me'),
  openRoute('POST', '/api/_validate/:uid', 'validate'),
  openRoute('GET', '/api/_counts', 'counts'),
  openRoute('POST', '/api/_batch', 'batch'),
  openRoute('GET', '/api/_schedule', 'schedules'),
  openRoute('GET', '/api/_releases', 'releases'),
  openRoute('POST', '/api/_releases', 'createRelease', 'releases'),
  openRoute('GET', '/api/_releases/:id', 'release', 'releases'),
  openRoute('PATCH', '/api/_releases/:id', 'changeRelease', 'releases'),
  openRoute('DELETE', '/api/_releases/:id', 'deleteRelease', 'releases'),
  openRoute('POST', '/api/_releases/:id/publish', 'publishRelease', 'releases'),
  openRoute('GET', '/api/_search', 'search'),
  openRoute('POST', '/api/_presence/:uid/:documentId', 'beHere', 'presence'),
  openRoute('DELETE', '/api/_presence/:uid/:documentId', 'leave', 'presence'),
];

/** The OpenAPI document. Names of types have no dots, so no type has this path. */
export const openApiRoute: Route = openRoute('GET', '/api/openapi.json', 'openapi');

/** The Model Context Protocol (`mcp.enabled`). GET and DELETE are for servers with sessions: here
 *  they are a 405 in every profile, which clients expect. */
export const mcpRoutes: readonly Route[] = (['POST', 'GET', 'DELETE'] as const).map((method) => openRoute(method, '/api/_mcp', 'mcp'));

/** Publishing has routes of its own besides `status`, and a right that only Lectern knows. */
const documentActions: readonly (readonly [path: string, action: WriteAction])[] = [
  ['publish', 'publish'],
  ['unpublish', 'unpublish'],
  ['discard-draft', 'discardDraft'],
];

/** What a reader of a document may ask about it. */
const aboutDocument: readonly (readonly [path: string, kind: 'versions' | 'references'])[] = [
  ['versions-of-locales', 'versions'],
  ['references', 'references'],
];

/** Publishing and unpublishing at a time. */
export type ScheduleRoute = 'schedule' | 'scheduled' | 'unschedule';
const scheduleRoutes: readonly (readonly [method: Method, kind: ScheduleRoute])[] = [
  ['POST', 'schedule'],
  ['GET', 'scheduled'],
  ['DELETE', 'unschedule'],
];

/** What a document was. */
export type HistoryRoute = 'history' | 'formerVersion' | 'restore';
const historyRoutes: readonly (readonly [method: Method, path: string, kind: HistoryRoute])[] = [
  ['GET', 'history', 'history'],
  ['GET', 'history/:version', 'formerVersion'],
  ['POST', 'history/:version/restore', 'restore'],
];

function contentRoutes(type: ContentType): Route[] {
  const write = (method: Method, path: string, right: string, action: WriteAction): Route => ({
    method,
    path,
    action: `${type.uid}.${right}`,
    serves: { kind: 'write', type, action, partial: method === 'PATCH' },
  });
  const isSingle = type.kind === 'singleType';
  const list = `/api/${isSingle ? type.singularName : type.pluralName}`;
  const document = isSingle ? list : `${list}/:documentId`;
  const reads: Route[] = isSingle
    ? [{ method: 'GET', path: list, action: `${type.uid}.find`, serves: { kind: 'content', type, target: 'single' } }]
    : [
        { method: 'GET', path: list, action: `${type.uid}.find`, serves: { kind: 'content', type, target: 'list' } },
        { method: 'GET', path: document, action: `${type.uid}.findOne`, serves: { kind: 'content', type, target: 'document' } },
        ...(lookupAttributes(type).length === 0
          ? []
          : [
              {
                method: 'GET',
                path: `${list}/by/:attribute/:value`,
                action: `${type.uid}.findOne`,
                serves: { kind: 'lookup', type },
              } as const,
            ]),
        ...(linkingRelations(type).length === 0
          ? []
          : [{ method: 'GET', path: `${document}/related`, action: `${type.uid}.find`, serves: { kind: 'related', type } } as const]),
        { method: 'GET', path: `${list}/_aggregate`, action: `${type.uid}.aggregate`, serves: { kind: 'aggregate', type } },
        write('POST', list, 'create', 'create'),
        { method: 'PATCH', path: list, action: `${type.uid}.update`, serves: { kind: 'bulk', type } },
      ];
  const actions = type.draftAndPublish ? documentActions : [];
  return [
    ...reads,
    ...aboutDocument.map(
      ([path, kind]): Route => ({
        method: 'GET',
        path: `${document}/${path}`,
        action: `${type.uid}.${isSingle ? 'find' : 'findOne'}`,
        serves: { kind, type },
      }),
    ),
    ...historyRoutes.map(
      ([method, path, kind]): Route => ({ method, path: `${document}/${path}`, action: `${type.uid}.update`, serves: { kind, type } }),
    ),
    write('PUT', document, 'update', 'update'),
    write('PATCH', document, 'update', 'update'),
    write('DELETE', document, 'delete', 'delete'),
    ...(type.draftAndPublish ? scheduleRoutes : []).map(
      ([method, kind]): Route => ({ method, path: `${document}/schedule`, action: `${type.uid}.publish`, serves: { kind, type } }),
    ),
    ...actions.map(([path, action]) => write('POST', `${document}/actions/${path}`, 'publish', action)),
  ];
}

type PluginRoute = readonly [method: Method, path: string, action: string, endpoint: string];

/** The endpoints of Strapi's plugins. */
const pluginRoutes = {
  'users-permissions': [
    ['POST', '/auth/local', 'auth.callback', 'login'],
    ['POST', '/auth/local/register', 'auth.register', 'register'],
    ['GET', '/auth/:provider/callback', 'auth.callback', 'provider'],
    ['POST', '/auth/:provider/callback', 'auth.callback', 'exchangeCode'],
    ['GET', '/connect', 'auth.connect', 'providers'],
    ['GET', '/connect/:provider', 'auth.connect', 'connect'],
    ['GET', '/connect/:provider/callback', 'auth.connect', 'connected'],
    ['POST', '/auth/forgot-password', 'auth.forgotPassword', 'forgotPassword'],
    ['POST', '/auth/reset-password', 'auth.resetPassword', 'resetPassword'],
    ['POST', '/auth/change-password', 'auth.changePassword', 'changePassword'],
    ['GET', '/auth/email-confirmation', 'auth.emailConfirmation', 'emailConfirmation'],
    ['POST', '/auth/send-email-confirmation', 'auth.sendEmailConfirmation', 'sendEmailConfirmation'],
    ['POST', '/auth/refresh', 'auth.refresh', 'refresh'],
    ['POST', '/auth/logout', 'auth.logout', 'logout'],
    ['GET', '/auth/sessions', 'auth.getSessions', 'getSessions'],
    ['DELETE', '/auth/sessions/:sessionId', 'auth.revokeSession', 'revokeSession'],
    ['GET', '/users', 'user.find', 'users'],
    ['POST', '/users', 'user.create', 'createUser'],
    ['GET', '/users/count', 'user.count', 'usersCount'],
    ['GET', '/users/me', 'user.me', 'usersMe'],
    ['GET', '/users/:id', 'user.findOne', 'user'],
    ['PUT', '/users/me', 'user.me', 'updateMe'],
    ['PUT', '/users/:id', 'user.update', 'updateUser'],
    ['DELETE', '/users/:id', 'user.destroy', 'deleteUser'],
    ['GET', '/users-permissions/roles', 'role.find', 'roles'],
    ['POST', '/users-permissions/roles', 'role.createRole', 'createRole'],
    ['GET', '/users-permissions/roles/:id', 'role.findOne', 'role'],
    ['PUT', '/users-permissions/roles/:id', 'role.updateRole', 'updateRole'],
    ['DELETE', '/users-permissions/roles/:id', 'role.deleteRole', 'deleteRole'],
    ['GET', '/users-permissions/permissions', 'permissions.getPermissions', 'permissions'],
  ],
  upload: [
    ['POST', '/upload', 'content-api.upload', 'upload'],
    ['GET', '/upload/files', 'content-api.find', 'files'],
    ['GET', '/upload/files/page', 'content-api.findPage', 'filesPage'],
    ['GET', '/upload/files/:id', 'content-api.findOne', 'file'],
    ['GET', '/upload/files/:id/references', 'content-api.findOne', 'fileReferences'],
    ['DELETE', '/upload/files/:id', 'content-api.destroy', 'deleteFile'],
    // Ours. `/upload/folders` is a 404 in Strapi's API, as recorded.
    ['GET', '/upload/_folders', 'content-api.upload', 'listFolders'],
    ['POST', '/upload/_folders', 'content-api.upload', 'createFolder'],
    ['PUT', '/upload/_folders/:id', 'content-api.upload', 'changeFolder'],
    ['DELETE', '/upload/_folders/:id', 'content-api.destroy', 'deleteFolder'],
    ['POST', '/upload/actions/move', 'content-api.upload', 'moveFiles'],
    ['POST', '/upload/actions/delete', 'content-api.destroy', 'deleteFiles'],
  ],
  i18n: [['GET', '/i18n/locales', 'locales.listLocales', 'locales']],
  'content-type-builder': [
    ['GET', '/content-type-builder/content-types', 'content-types.getContentTypes', 'contentTypeBuilder'],
    ['GET', '/content-type-builder/content-types/:uid', 'content-types.getContentType', 'contentTypeBuilder'],
    ['GET', '/content-type-builder/components', 'components.getComponents', 'contentTypeBuilder'],
    ['GET', '/content-type-builder/components/:uid', 'components.getComponent', 'contentTypeBuilder'],
  ],
} as const satisfies Record<string, readonly PluginRoute[]>;

export type EndpointName =
  | (typeof pluginRoutes)[keyof typeof pluginRoutes][number][3]
  | 'me'
  | 'validate'
  | 'batch'
  | 'schedules'
  | (typeof releaseNames)[number]
  | 'counts'
  | 'search'
  | 'beHere'
  | 'leave'
  | 'openapi'
  | 'mcp';

/** The types without which a plugin has no endpoints. */
const neededTypes = new Map([
  ['users-permissions', userUid],
  ['upload', fileUid],
]);

const routesOfPlugins = (model: ContentModel): Route[] =>
  Object.entries(pluginRoutes).flatMap(([plugin, routes]) => {
    const needed = neededTypes.get(plugin);
    if (needed !== undefined && !model.contentTypes.has(needed)) return [];
    return routes.map(
      ([method, path, action, endpoint]): Route => ({
        method,
        path: `/api${path}`,
        action: `plugin::${plugin}.${action}`,
        serves: { kind: 'endpoint', endpoint },
      }),
    );
  });

/** `refused`: the route responds with 501. */
export type Handling = 'served' | 'refused' | 'forwarded';

export const handlingOf = ({ findings, isForwarded }: Route): Handling =>
  isForwarded === true ? 'forwarded' : findings === undefined ? 'served' : 'refused';

/** The methods that a path has routes for, in any letter case, with or without a last slash. */
export function methodsOf(path: string, all: readonly Route[]): readonly Method[] {
  return [...new Set(all.filter(matching(path)).map((route) => route.method))];
}

/** The route of a request, and the decoded last segment of its path. `/api/users/me` comes before
 *  `/api/users/:id`. */
export function routeOf(method: Method, path: string, all: readonly Route[]): { readonly route: Route; readonly last: string } | undefined {
  const found = all.filter((route) => route.method === method).filter(matching(path));
  const route = found.find((each) => !each.path.includes(':')) ?? found[0];
  const last = decoded(path.replace(/\/$/, '').split('/').at(-1) ?? '');
  return route === undefined || last === undefined || last.includes('\0') ? undefined : { route, last };
}

function matching(path: string): (route: Route) => boolean {
  const wanted = segments(path);
  return (route) => {
    const own = segments(route.path);
    return own.length === wanted.length && own.every((segment, index) => segment.startsWith(':') || segment === wanted[index]);
  };
}

const segments = (path: string) => path.toLowerCase().replace(/\/$/, '').split('/');
