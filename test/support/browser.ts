/** As much of a browser as signing in takes: cookies by host and path, redirects, forms. */
import { type HttpResponse, send } from './http.ts';

interface Cookie {
  readonly path: string;
  readonly value: string;
}

export interface Page {
  readonly url: URL;
  /** Undefined for a page of a host that is not there: that is as far as the test goes. */
  readonly response: HttpResponse | undefined;
}

export class Browser {
  /** Cookies by host, then by name. */
  readonly cookies = new Map<string, Map<string, Cookie>>();
  readonly #hosts: ReadonlyMap<string, string>;
  readonly #from: string;

  /** `hosts`: the server of each origin. `from`: the IP address to send from. */
  constructor(hosts: Readonly<Record<string, string>>, from: string) {
    this.#hosts = new Map(Object.entries(hosts));
    this.#from = from;
  }

  /** One request, and where it leads to. */
  async request(
    url: URL,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly response: HttpResponse; readonly next: URL | undefined }> {
    const base = this.#hosts.get(url.origin);
    if (base === undefined) throw new Error(`no host ${url.origin}`);
    const cookie = this.#cookiesFor(url);
    const response = await send(base, {
      method: form === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      from: this.#from,
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    });
    for (const text of response.headers['set-cookie'] ?? []) this.#keep(url, text);
    const { location } = response.headers;
    return { response, next: location === undefined ? undefined : new URL(location, url) };
  }

  /** Follows redirects to a page, or to a host that is not there. */
  async go(to: URL | string, form?: Readonly<Record<string, string>>): Promise<Page> {
    let { response, next } = await this.request(new URL(to), form);
    let url = new URL(to);
    while (next !== undefined) {
      url = next;
      if (!this.#hosts.has(url.origin)) return { url, response: undefined };
      ({ response, next } = await this.request(url));
    }
    return { url, response };
  }

  /** Another browser with the same cookies. */
  copy(): Browser {
    const other = new Browser(Object.fromEntries(this.#hosts), this.#from);
    for (const [host, jar] of this.cookies) other.cookies.set(host, new Map(jar));
    return other;
  }

  #cookiesFor({ host, pathname }: URL): string {
    const jar = [...(this.cookies.get(host) ?? [])].filter(([, { path }]) => pathname.startsWith(path));
    return jar.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  #keep({ host, pathname }: URL, text: string): void {
    const [pair = '', ...attributes] = text.split(';').map((each) => each.trim());
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const attribute = (key: string) => attributes.find((each) => each.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    const jar = this.cookies.get(host) ?? new Map<string, Cookie>();
    this.cookies.set(host, jar);
    const expires = attribute('expires');
    const isOver = attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now());
    if (isOver) jar.delete(name);
    else jar.set(name, { path: attribute('path') ?? pathname, value });
  }
}
