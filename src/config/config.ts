/** Everything that can be set, read once at the start from `lectern.config.json` and the environment. */
import type { DialectName } from '../dialects/dialect.ts';

export type Profile = 'specification' | 'strapi';

/** The rules in which the specification and Strapi 5 differ; the profile sets their defaults, `policies.<name>` each of them. */
export interface Policies {
  /** PUT changes only the attributes that the body names. */
  readonly partialPut: boolean;
  /** `populate` and `pagination` may stand in one request. */
  readonly populateWithPagination: boolean;
  /** POST honours `locale` in the body. */
  readonly localeInBody: boolean;
  /** A `locale` that is not defined is refused instead of matching nothing. */
  readonly refuseUndefinedLocale: boolean;
  /** Reading drafts needs the right `findDraft`. */
  readonly draftsNeedRight: boolean;
  /** `$contains $notContains $startsWith $endsWith` compare letter case on every engine. */
  readonly caseSensitiveLike: boolean;
  /** Text is sorted and compared by the collation of the database, and nulls stand where the database puts them. */
  readonly databaseOrder: boolean;
  /** Error bodies carry `error.code`; otherwise the header `X-Error-Code` does. */
  readonly errorCodeInBody: boolean;
  /** Keys that are names on every JavaScript object (`constructor`) are refused like any unknown key, instead of being ignored. */
  readonly refusePrototypeNames: boolean;
  /** Queries are read as Strapi reads them: empty parts are ignored, and one of several contradictory parts is used. */
  readonly queriesAsStrapi: boolean;
  /** Writes enforce the rules of the schema that Strapi does not enforce over REST. */
  readonly enforceSchemaRules: boolean;
  /** What is not localized reaches the drafts of the other locales, too, when a locale is published. */
  readonly syncDrafts: boolean;
  /** Logout, block, delete, password and role changes end sessions at the next request. */
  readonly endSessionsAtOnce: boolean;
  /** Endpoints that take an e-mail address count their attempts for each address apart. */
  readonly rateLimitPerEmail: boolean;
  /** Codes of mails about forgotten passwords end after an hour. */
  readonly resetCodesExpire: boolean;
  /** Asking for a confirmation mail does not tell whether the address is somebody's. */
  readonly hideAccounts: boolean;
  /** Refused files among several are left out, and the others taken. */
  readonly dropRefusedFiles: boolean;
  readonly believeMediaTypes: boolean;
  /** `fields` of one file is honoured, and not only checked. */
  readonly selectFileFields: boolean;
  /** `ref` of an upload is held to rights, and to what exists. */
  readonly linkNeedsRight: boolean;
  /** Media attributes take only files that the caller may find, and files that are attached already. */
  readonly mediaNeedsRight: boolean;
  /** Photographs are turned by their EXIF orientation whatever the library's settings say. */
  readonly turnImages: boolean;
  /** An image that encoding again does not make smaller is kept as it was sent. */
  readonly keepSmallerOriginals: boolean;
  /** AVIF images are looked at. */
  readonly measureAvif: boolean;
  /** Caches may keep files with a random name for a year, without asking. */
  readonly keepHashedFiles: boolean;
}

/** Bounds of one request. Each is named by the error that it causes, with its configuration key. */
export interface Limits {
  /** Bytes of the query string. */
  readonly queryBytes: number;
  /** Parameters in the query string, or in a form. */
  readonly parameters: number;
  /** Brackets of one parameter name (`a[b][c]` is 2). */
  readonly depth: number;
  /** Values of one list. */
  readonly listValues: number;
  /** Populated paths of one request, dynamic-zone components included. */
  readonly populatedPaths: number;
  /** Levels of population. */
  readonly populateDepth: number;
  /** Bytes of one value of a text operator (`$contains`, …) or of `_q`. */
  readonly patternBytes: number;
  /** Bytes of all values of text operators of one request together, and of `_q` for each attribute that it is compared with. */
  readonly searchBytes: number;
  /** Rows that one request may read, populated ones included. */
  readonly rows: number;
  /** Conditions in all filters of one request. */
  readonly conditions: number;
  /** Relations, components and media that one request's filters and sort pass through, all mentions together. */
  readonly hops: number;
  /** Sort terms of one list. */
  readonly sortTerms: number;
  /** Bytes of the body of a request, inflated. */
  readonly bodyBytes: number;
  /** Objects and lists inside of each other in the body of a request (`{"data":{}}` is 2). */
  readonly bodyDepth: number;
  /** Components of one body, and of one version of a document. */
  readonly components: number;
  /** Relation targets and files that one body names. */
  readonly links: number;
  /** Passwords of one body; each is hashed, which is slow on purpose. */
  readonly passwords: number;
  /** Bytes of one answer. */
  readonly responseBytes: number;
  /** Bytes of all large responses that their clients have not received yet. */
  readonly unsentBytes: number;
  /** Milliseconds that the statements of one request may take. */
  readonly statementTime: number;
  /** Requests that may wait for a free reader before further ones get 503. */
  readonly queue: number;
}

export interface DatabaseConfig {
  readonly client: DialectName;
  /** SQLite: absolute path. */
  readonly filename: string;
  /** PostgreSQL: a URL, or the single settings. */
  readonly url: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly schema: string | undefined;
  readonly ssl: boolean;
  /** PEM texts, or absolute paths of files with them. */
  readonly sslCa: string | undefined;
  readonly sslKey: string | undefined;
  readonly sslCert: string | undefined;
  readonly sslRejectUnauthorized: boolean;
  /** A setting of a database server that has no effect without DATABASE_CLIENT: `DATABASE_HOST in .env`. */
  readonly unusedServer: string | undefined;
  readonly poolMin: number;
  readonly poolMax: number;
  /** Milliseconds that a request waits for a connection to PostgreSQL. */
  readonly connectionTime: number;
  /** An acknowledged write to an embedded database outlives a power cut. */
  readonly durable: boolean;
  /** Processes that read an embedded database. */
  readonly readers: number;
}

/** A provider of OpenID Connect that users may sign in with. */
export interface ProviderConfig {
  /** Part of the paths, and the `provider` of the users whom it brought. */
  readonly name: string;
  /** For the button of a front end. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a client that the provider knows as a public one. */
  readonly clientSecret: string | undefined;
  /** Separated by blanks. */
  readonly scope: string;
  /** Where front ends may be sent to with a code; compared as they are. */
  readonly callbacks: readonly string[];
  /** Whether whoever has no account yet gets one. */
  readonly register: boolean;
  /** Type of the role of new users; undefined for Strapi's default role. */
  readonly role: string | undefined;
  /** Claims that may name a new user, the best first. */
  readonly usernameClaims: readonly string[];
  /** Takes addresses as verified that the provider says nothing about. */
  readonly trustEmail: boolean;
  /** Lets users with a verified address into the local account of that address. */
  readonly linkByEmail: boolean;
}

export interface MailConfig {
  readonly host: string | undefined;
  readonly port: number;
  readonly secure: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly from: string | undefined;
  /** What becomes of mails without a `host`. */
  readonly withoutServer: 'log' | 'refuse';
}

export interface UploadConfig {
  /** Bytes of one file, after an image was made smaller. */
  readonly sizeLimit: number;
  /** Bytes of one request. */
  readonly requestLimit: number;
  /** Files of one request. */
  readonly files: number;
  /** Milliseconds without a byte. */
  readonly stallTime: number;
  /** Patterns of media types, `image/*`; empty allows all. */
  readonly allowedTypes: readonly string[];
  readonly deniedTypes: readonly string[];
  /** Absolute path; files on their way in are below it. */
  readonly workDir: string;
  readonly provider: 'local' | 's3';
  /** Name → longest side in pixels. */
  readonly breakpoints: Readonly<Record<string, number>>;
  readonly pixels: number;
  /** Milliseconds. */
  readonly imageTime: number;
  readonly imageQueue: number;
  readonly imageProcesses: number;
  /** What anybody may ask for of a variant. */
  readonly variantSizes: readonly number[];
  readonly variantFormats: readonly string[];
  readonly variantQualities: readonly number[];
  /** Absolute path. */
  readonly cacheDir: string;
  readonly cacheBytes: number;
  /** Seconds. */
  readonly signedFor: number;
}

export interface S3Config {
  readonly bucket: string | undefined;
  readonly region: string;
  /** Undefined for Amazon's. */
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
  readonly prefix: string | undefined;
  /** Undefined for the bucket's own address. */
  readonly baseUrl: string | undefined;
  readonly private: boolean;
}

export interface Config {
  /** Absolute path of the project folder. */
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  /** Where callers reach the server, for the links in mails and for providers to send users back; undefined without a setting. */
  readonly url: string | undefined;
  /** Milliseconds in which running requests may finish when the server is stopped. */
  readonly shutdownTime: number;
  readonly profile: Profile;
  /** Why this profile: `set by LECTERN_PROFILE`, `package.json depends on @strapi/strapi`, `the default`. */
  readonly profileReason: string;
  /** Settings that follow a Strapi project, each with its source; empty for other projects. */
  readonly projectSettings: readonly string[];
  /** The folder depends on Strapi, whatever profile it is served in: its database is Strapi's to make. */
  readonly strapiProject: boolean;
  readonly policies: Policies;
  readonly api: {
    readonly defaultLimit: number;
    readonly maxLimit: number;
    readonly withCount: boolean;
    readonly strictParams: boolean;
    readonly strictRelations: boolean;
  };
  /** How routes with custom code are handled: action → `serve` or `refuse`. */
  readonly routes: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly database: DatabaseConfig;
  readonly migrate: 'auto' | 'never';
  /** Whether the start changes rights: to what the project declares, and away from what is gone. */
  readonly applyPermissions: 'auto' | 'never';
  readonly secrets: {
    readonly jwtSecret: string | undefined;
    readonly apiTokenSalt: string | undefined;
    readonly encryptionKey: string | undefined;
    /** Signs addresses of private files and of variants beyond the lists. */
    readonly uploadKey: string | undefined;
    readonly s3AccessKeyId: string | undefined;
    readonly s3SecretAccessKey: string | undefined;
    readonly s3SessionToken: string | undefined;
    /** Opens `/api/_manage`, which is not there without it. */
    readonly managementToken: string | undefined;
  };
  readonly auth: {
    readonly jwtManagement: 'refresh' | 'legacy-support';
    readonly httpOnly: boolean;
    /** By name. */
    readonly providers: Readonly<Record<string, ProviderConfig>>;
  };
  readonly mail: MailConfig;
  /** Addresses and networks whose `X-Forwarded-For` and `X-Forwarded-Proto` count; empty for none. */
  readonly trustProxy: readonly string[];
  readonly rateLimit: {
    /** Calls of one caller in a window; undefined for any number. */
    readonly max: number | undefined;
    /** Seconds. */
    readonly window: number;
    /** URL of a Redis that processes count in together. */
    readonly redis: string | undefined;
  };
  readonly cors: { readonly origins: readonly string[]; readonly credentials: boolean };
  readonly upload: UploadConfig;
  readonly s3: S3Config;
  /** Absolute path; `uploads/` below it is served. */
  readonly publicDir: string;
  /** Base types of custom fields: `plugin::color-picker.color` → `string`. */
  readonly customFields: Readonly<Record<string, string>>;
  readonly log: { readonly level: string };
}
