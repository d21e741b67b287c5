/** What the code of a project changes about routes. The code is read and never run. */

/** Code that Strapi runs and Lectern does not. */
export interface Finding {
  /** `policies`, `an action of its own`: completes "has …". */
  readonly what: string;
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
}

/** The routes that `createCoreRouter` makes for a content type. */
export interface CoreRouter {
  readonly uid: string;
  readonly prefix: string;
  /** Undefined for all actions. */
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[];
  /** Findings for single actions. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
}

/** A route that a file defines itself. */
export interface OwnRoute {
  /** `ALL` for every method. */
  readonly method: string;
  /** With its prefix, below `/api`. */
  readonly path: string;
  /** The action that it runs, `api::article.article.find`; undefined for a function. */
  readonly action: string | undefined;
  readonly findings: readonly Finding[];
  /** Where it is written. */
  readonly at: Finding;
}

export interface ProjectCode {
  readonly coreRouters: readonly CoreRouter[];
  readonly ownRoutes: readonly OwnRoute[];
  /** APIs (`api::article`) with route files: actions that no file names have no route. */
  readonly routedApis: ReadonlySet<string>;
  /** By action, or by what actions begin with: `api::article.article.*`. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Code that concerns all routes, and is not run. */
  readonly everywhere: readonly Finding[];
}
