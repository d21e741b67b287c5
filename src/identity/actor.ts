/** The caller of a request and its rights. Plans are cached by rights, so equal rights share one `key`. */
import type { Restriction } from '../rights/restrictions.ts';

/** Actions are Strapi's: `api::article.article.find`, `plugin::users-permissions.user.me`. */
export interface Rights {
  /** Equal for rights that allow the same actions with the same restrictions; part of the cache key of a plan. */
  readonly key: string;
  allows(action: string): boolean;
  /** The restriction of an allowed action; undefined when there is none. */
  restriction(action: string): Restriction | undefined;
}

export type Actor =
  | { readonly kind: 'public'; readonly rights: Rights }
  | {
      readonly kind: 'user';
      readonly userId: number;
      /** The session that the token was made in, in mode `refresh`. */
      readonly sessionId: string | undefined;
      readonly rights: Rights;
    }
  | { readonly kind: 'token'; readonly tokenId: number; readonly rights: Rights };
