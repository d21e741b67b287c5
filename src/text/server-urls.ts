/** URLs of database servers that may name several hosts, as those of libpq do:
 *  `postgres://user:password@host-1:5432,host-2,[::1]:5434/name`. `URL` reads one host. */

/** How to name several hosts. Completes a sentence about what a URL must be. */
export const listOfHosts = 'one URL lists several hosts: postgres://user:password@host-1:5432,host-2:5432/name';

const parts = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)(.*)$/is;

/** The URL of each host, in their order, with all other parts; `[]` for a text that is no URL. */
export function serverUrls(text: string): URL[] {
  const [, scheme = '', authority = '', rest = ''] = parts.exec(text) ?? [];
  // A list of URLs. Read as one, its second URL, with the password, would be a name for messages.
  if (/^[^?#]*:\/\//.test(authority + rest)) return [];
  const end = authority.lastIndexOf('@') + 1;
  // A comma in a password belongs to it.
  const [user, hosts] = [authority.slice(0, end), authority.slice(end).split(',')];
  const texts = hosts.length === 1 ? [text] : hosts.map((host) => `${scheme}${user}${host}${rest}`);
  const hasEmptyHost = hosts.length > 1 && hosts.some((host) => /^(?::|$)/.test(host));
  return hasEmptyHost || !texts.every((each) => URL.canParse(each)) ? [] : texts.map((each) => new URL(each));
}

/** The URL without some parameters; all other parts are as they were written. */
export function withoutParameters(text: string, names: readonly string[]): string {
  const [url] = serverUrls(text);
  if (url === undefined || !names.some((name) => url.searchParams.has(name))) return text;
  for (const name of names) url.searchParams.delete(name);
  return text.replace(/\?[^#]*/, () => url.search);
}
