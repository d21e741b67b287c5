/** The format of prepared content: documents have keys, and relations name the target's key. */
import { z } from 'zod';

/** `2024-05-01T08:00:00.000Z`. */
const moment = z.iso.datetime();
const data = z.record(z.string(), z.unknown());

const version = z.strictObject({
  /** The version's locale; omitted for the default locale and for types without locales. */
  locale: z.string().optional(),
  /** `published`: also a published row; `draft`: only a draft row. Types without drafts ignore
   *  it. */
  status: z.enum(['published', 'draft']).default('published'),
  /** Attributes by name. To-one relations and single media have a key, others a list of keys;
   *  polymorphic ones `{type, key}`. */
  data,
  /** The attributes in which the draft differs from the published version. */
  draft: data.optional(),
  createdAt: moment.optional(),
  updatedAt: moment.optional(),
  publishedAt: moment.optional(),
});

const seedDocument = version.extend({
  /** Relations name the document by this key; unique within its type. */
  key: z.string(),
  /** 24 lower-case letters and digits; derived from type and key if omitted. */
  documentId: z.string().optional(),
  /** The versions in other locales. As in Strapi, attributes that are not localized are copied. */
  translations: z.array(version).optional(),
});

const access = z.strictObject({
  /** Actions of the two standard roles: `api::article.article.find`. */
  public: z.array(z.string()).default([]),
  authenticated: z.array(z.string()).default([]),
});

export const localesSchema = z.array(z.strictObject({ code: z.string(), name: z.string() })).min(1);
export const documentsSchema = z.strictObject({ type: z.string(), documents: z.array(seedDocument) });
export const accessSchema = access;

export type SeedVersion = z.infer<typeof version>;
export type SeedDocument = z.infer<typeof seedDocument>;
export type SeedData = Readonly<Record<string, unknown>>;

export interface SeedDocuments {
  readonly type: string;
  /** Iterated once, so that it may be a generator. */
  readonly documents: Iterable<SeedDocument>;
}

export interface SeedUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** The type of a role; `authenticated` by default. */
  readonly role?: string;
}

export interface SeedToken {
  readonly name: string;
  readonly type: 'full-access' | 'read-only' | 'custom';
  /** The plain token; only its HMAC is stored. */
  readonly token: string;
  /** The actions of a custom token. */
  readonly permissions?: readonly string[];
}

export interface SeedAccess extends z.infer<typeof access> {
  /** Users; each gets the role `authenticated`. */
  readonly users?: readonly SeedUser[];
  readonly tokens?: readonly SeedToken[];
  /** `API_TOKEN_SALT`; required if there are tokens. */
  readonly apiTokenSalt?: string | undefined;
}

export interface SeedContent {
  /** Locales; the first becomes the default one. Undefined: those of the database. */
  readonly locales: z.infer<typeof localesSchema> | undefined;
  readonly types: readonly SeedDocuments[];
  readonly access: SeedAccess;
}

/** A mistake in prepared content. */
export class ContentError extends Error {
  /** `api::article.article a-key (fr).tags`: the document and the attribute; or the type alone. */
  readonly place: string;
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'ContentError';
    this.place = place;
    this.problem = problem;
  }
}
