/** Links by which users set a password. */
import type { Config } from '../config/config.ts';
import { consolePasswordPage } from '../config/console-pages.ts';
import type { AccessStore } from '../identity/access-store.ts';
import { httpUrl } from '../text/http-url.ts';
import { stringAt } from '../text/json.ts';
import { expiringCode } from './reset-code.ts';
import type { UserStore } from './user-store.ts';

/** A new colleague may be on holiday. */
export const linkDays = 7;

export const noPasswordPage = 'There is no page on which a user could set a password: switch the console on, or set auth.resetPasswordPage';

/** The page to which a code is appended. What follows `#` is sent to no server and is in no log. */
export async function passwordPage(config: Config, store: Pick<AccessStore, 'settings'>): Promise<string | undefined> {
  const ofConsole = consolePasswordPage(config, config.url ?? httpUrl(config.host, config.port));
  if (ofConsole !== undefined) return `${ofConsole}#code=`;
  const page = stringAt(await store.settings('advanced'), 'email_reset_password');
  return page === undefined ? undefined : `${page}?code=`;
}

/** Makes a link to the page, and earlier ones invalid. */
export async function newPasswordLink(userId: number, page: string, users: Pick<UserStore, 'setResetToken'>): Promise<string> {
  const code = expiringCode(linkDays * 86_400_000);
  await users.setResetToken(userId, code);
  return `${page}${code}`;
}
