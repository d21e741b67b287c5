/** The configuration of a project. The table in `settings.ts` defines the settings and their types; here stand the differences between what is
 *  set and what the server uses: absolute paths, secrets of providers, and what was found out about the project. */
import type { Profile } from './profile.ts';
import type { ProviderConfig } from './providers.ts';
import type { SettingValues } from './settings.ts';

/** The rules in which the specification and Strapi 5 differ; the profile sets their defaults. */
export type Policies = SettingValues['policies'];
/** Bounds of one request. The error that a bound causes names its configuration key. */
export type Limits = SettingValues['limits'];
export type MailConfig = SettingValues['mail'];
export type S3Config = SettingValues['s3'];

/** `filename` is an absolute path; `sslCa`, `sslCert` and `sslKey` are PEM texts or absolute paths. */
export type DatabaseConfig = SettingValues['database'] & {
  /** A setting of a database server that has no effect without DATABASE_CLIENT: `DATABASE_HOST in .env`. */
  readonly unusedServer: string | undefined;
};

/** `workDir` and `cacheDir` are absolute paths. */
export type UploadConfig = SettingValues['upload'] & { readonly workDir: string };

/** `publicDir` is an absolute path. */
export interface Config extends Omit<SettingValues, 'auth' | 'database' | 'upload'> {
  /** Absolute path of the project folder. */
  readonly dir: string;
  readonly profile: Profile;
  /** Why this profile: `set by LECTERN_PROFILE`, `package.json depends on @strapi/strapi`, `the default`. */
  readonly profileReason: string;
  /** Settings that follow a Strapi project, each with its source; empty for other projects. */
  readonly projectSettings: readonly string[];
  /** The folder depends on Strapi, in whatever profile it is served: Strapi creates its database. */
  readonly strapiProject: boolean;
  readonly database: DatabaseConfig;
  readonly auth: Omit<SettingValues['auth'], 'providers'> & { readonly providers: Readonly<Record<string, ProviderConfig>> };
  readonly upload: UploadConfig;
}
