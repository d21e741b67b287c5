/** Describes the changes that a project's code makes to routes. The code is read and never run. */

/** Code that Strapi runs and Lectern does not. */
export interface Finding {
  /** `policies`, `an action of its own`: completes "has …". */
  readonly what: string;
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  /** The policies or middlewares that a route's `config` names: `global::is-owner`. */
  readonly names?: readonly string[];
}

/** Code that affects several routes. Lectern does not run it, and refuses no route for it. */
export interface CodeForAll extends Finding {
  readonly kind:
    | 'globalMiddleware'
    | 'documentMiddleware'
    | 'subscriber'
    | 'serverMiddleware'
    | 'addedRoutes'
    | 'replacedCode'
    | 'lifecycles'
    | 'apiIndex'
    | 'cron'
    | 'unreadable';
  /** The name of a middleware, the type of lifecycle hooks, the name of a task. */
  readonly name?: string;
}

/** The routes that `createCoreRouter` makes for a content type. */
export interface CoreRouter {
  readonly uid: string;
  readonly prefix: string;
  /** The actions that have a route; undefined if all have. */
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[];
  /** The findings of each action. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
}

/** A route that a file defines itself. */
export interface OwnRoute {
  /** `ALL` for every method. */
  readonly method: string;
  /** The path below `/api`, including its prefix. */
  readonly path: string;
  /** The action that handles it, `api::article.article.find`; undefined if a function does. */
  readonly action: string | undefined;
  readonly findings: readonly Finding[];
  /** The position of its definition in the code. */
  readonly at: Finding;
}

export interface ProjectCode {
  readonly coreRouters: readonly CoreRouter[];
  readonly ownRoutes: readonly OwnRoute[];
  /** APIs (`api::article`) with route files: their actions have routes only if a file has them. */
  readonly routedApis: ReadonlySet<string>;
  /** The findings of each action or prefix of actions (`api::article.article.*`). */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  readonly everywhere: readonly CodeForAll[];
}
