/** What `/console` needs to know before anybody has signed in. */
import type { Config } from '../../../config/config.ts';
import { consoleCallback } from '../../../config/console-pages.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import { previewsOf } from '../../../model/previews.ts';
import type { Rights } from '../../../rights/rights.ts';

export interface ConsoleSettings {
  /** Where the API is: `/api`. */
  readonly prefix: string;
  /** Null where nobody can sign in, because JWT_SECRET is missing. Times are seconds. */
  readonly session: ConsoleSession | null;
  /** The providers that this caller may sign in with. */
  readonly providers: readonly ConsoleProvider[];
  /** Whether a mail with a link to set a new password can be requested. */
  readonly canRequestPassword: boolean;
  readonly upload: {
    /** Bytes of one file, and of all files of a request. */
    readonly sizeLimit: number;
    readonly requestLimit: number;
    /** Files of one request. */
    readonly files: number;
  };
  /** URLs of the site by uid, with placeholders; those of types that this caller may edit. */
  readonly preview: Readonly<Record<string, string>>;
}

export type ConsoleSession =
  | {
      readonly mode: 'refresh';
      /** A session ends when it was not refreshed for this time. */
      readonly idleSeconds: number;
      /** … and at the latest after this time. */
      readonly maxSeconds: number;
      /** For how long browsers keep the cookie of every session; null: until they are closed,
       *  unless the request asks to keep it. */
      readonly cookieSeconds: number | null;
    }
  | { readonly mode: 'legacy-support'; readonly maxSeconds: number };

export interface ConsoleProvider {
  readonly name: string;
  readonly label: string;
  /** The page of the console that gets the code: `callback` of `GET /api/connect/:provider`. */
  readonly callback: string;
}

interface Parts {
  readonly config: Config;
  readonly model: ContentModel;
}

export function consoleSettings({ config, model }: Parts, rights: Rights): ConsoleSettings {
  const { api, auth, console, mail, upload } = config;
  const may = (action: string) => rights.allows(`plugin::users-permissions.auth.${action}`);
  const canSendMails = mail.host !== undefined || mail.withoutServer === 'log';
  const session = sessionOf(config);
  const callback = consoleCallback(config);
  return {
    prefix: api.prefix,
    session,
    providers:
      callback === undefined || !may('connect') ? [] : Object.values(auth.providers).map(({ name, label }) => ({ name, label, callback })),
    canRequestPassword: session !== null && canSendMails && may('forgotPassword'),
    upload: { sizeLimit: upload.sizeLimit, requestLimit: upload.requestLimit, files: upload.files },
    // Such a URL often has a secret, by which the site opens drafts.
    preview: Object.fromEntries([...previewsOf(console.preview, model)].filter(([uid]) => rights.allows(`${uid}.update`))),
  };
}

function sessionOf({ auth, secrets }: Config): ConsoleSession | null {
  if (secrets.jwtSecret === undefined) return null;
  if (auth.jwtManagement === 'legacy-support') return { mode: 'legacy-support', maxSeconds: auth.tokenLifespan };
  const { idleRefreshTokenLifespan: idleSeconds, maxRefreshTokenLifespan: maxSeconds, cookieMaxAge } = auth;
  return { mode: 'refresh', idleSeconds, maxSeconds, cookieSeconds: cookieMaxAge ?? null };
}
