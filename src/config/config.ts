/** The configuration of a project. The table in `settings.ts` defines the settings and their types;
 *  these types add absolute paths, secrets of providers, and facts about the project. */
import type { Profile } from './profile.ts';
import type { ProviderConfig } from './providers.ts';
import type { SettingValues } from './settings.ts';
import type { StrapiConfigFinding } from './strapi-settings-report.ts';

/** Rules that differ between the specification and Strapi 5; the profile sets their defaults. */
export type Policies = SettingValues['policies'];
/** Limits of one request. The error that a limit causes names its configuration key. */
export type Limits = SettingValues['limits'];
export type MailConfig = SettingValues['mail'];
export type S3Config = SettingValues['s3'];

/** `filename` is an absolute path; `sslCa`, `sslCert` and `sslKey` are PEM texts or paths. */
export type DatabaseConfig = SettingValues['database'] & {
  /** A setting of a server that has no effect without DATABASE_CLIENT: `DATABASE_HOST in .env`. */
  readonly unusedServer: string | undefined;
};

/** `workDir` and `cacheDir` are absolute paths. */
export type UploadConfig = SettingValues['upload'] & { readonly workDir: string };

/** `publicDir` is an absolute path. */
export interface Config extends Omit<SettingValues, 'auth' | 'database' | 'upload'> {
  /** Absolute path of the project folder. */
  readonly dir: string;
  readonly profile: Profile;
  /** `set by LECTERN_PROFILE`, `package.json depends on @strapi/strapi`, or `the default`. */
  readonly profileReason: string;
  /** Settings from a Strapi project, each with its source; empty for other projects. */
  readonly projectSettings: readonly string[];
  /** What became of the values in a Strapi project's `config/`; empty for other projects. */
  readonly strapiFindings: readonly StrapiConfigFinding[];
  /** Whether `package.json` depends on Strapi, which then creates the database. */
  readonly strapiProject: boolean;
  readonly database: DatabaseConfig;
  readonly auth: Omit<SettingValues['auth'], 'providers'> & { readonly providers: Readonly<Record<string, ProviderConfig>> };
  readonly upload: UploadConfig;
}
