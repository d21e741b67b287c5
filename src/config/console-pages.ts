/** Where `/console` and some of its pages are. */
import { isLoopback } from '../text/http-url.ts';
import type { Config } from './config.ts';

export const isConsoleOn = ({ site, console }: Pick<Config, 'site' | 'console'>): boolean => site.pages && console.enabled;

/** The page to which providers send editors back. It need not be listed in the settings of a
 *  provider. Undefined where the server has no URL that a code may be sent to. */
export function consoleCallback(config: Pick<Config, 'site' | 'console' | 'url'>): string | undefined {
  if (config.url === undefined || !isConsoleOn(config)) return undefined;
  const { protocol, hostname } = new URL(config.url);
  return protocol === 'https:' || isLoopback(hostname) ? `${config.url}/console/signed-in` : undefined;
}

/** The page on which users set their password, by a code. Undefined without a console. */
export const consolePasswordPage = (config: Pick<Config, 'site' | 'console'>, base: string): string | undefined =>
  isConsoleOn(config) ? `${base}/console/set-password` : undefined;
