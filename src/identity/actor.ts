/** The caller of a request and its rights. Equal rights share one `key`, and so plans. */
import { managerRights, type Rights } from '../rights/rights.ts';

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

/** The actor of the command line and of the management token: it may link everything. */
export const manager: Actor = { kind: 'token', tokenId: 0, rights: managerRights };
