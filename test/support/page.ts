/** `fetch` of a page in a browser: what CORS and cookies allow a page of an origin to send and to read. */

interface Cookie {
  readonly value: string;
  readonly sameSite: string;
}

/** A test may put `fetch` of a page in its place. */
const network = globalThis.fetch;
const simpleTypes = /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)/;
const simpleHeaders = new Set(['accept', 'accept-language', 'content-language', 'content-type']);
/** Headers that every script may read. */
const readable = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'];
const listed = (value: string | null) => (value ?? '').toLowerCase().split(/, */);

/** A page that was loaded from `origin`. Pages of the same `cookies` are tabs of one browser. */
export function pageOf(origin: string, cookies = new Map<string, Cookie>()): { readonly fetch: typeof fetch } {
  const ownSite = siteOf(origin);

  async function pageFetch(input: string | URL | Request, { credentials, ...init }: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    if (typeof init.body === 'string' && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
    const include = credentials === 'include';
    const unusual = [...headers.keys()].filter((name) => !simpleHeaders.has(name));
    const type = headers.get('content-type');
    if (type !== null && !simpleTypes.test(type)) unusual.push('content-type');
    const isSimple = ['GET', 'HEAD', 'POST'].includes(method) && unusual.length === 0;
    if (!isSimple) await preflight(url, method, unusual, include);

    const mayStore = (sameSite: string) => siteOf(url.origin) === ownSite || sameSite === 'none';
    const sent = [...cookies].filter(([, { sameSite }]) => include && mayStore(sameSite));
    headers.set('origin', origin);
    if (sent.length > 0) headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const response = await network(url, { ...init, method, headers });
    for (const text of include ? response.headers.getSetCookie() : []) store(text, mayStore);
    allowed(response, include);
    const names = [...readable, ...listed(response.headers.get('access-control-expose-headers'))];
    const shown = [...response.headers].filter(([name]) => names.includes(name));
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers: shown });
  }

  function allowed({ headers }: Response, include: boolean): void {
    const to = headers.get('access-control-allow-origin');
    const isOpen = to === origin || (to === '*' && !include);
    if (!isOpen || (include && headers.get('access-control-allow-credentials') !== 'true'))
      throw new TypeError(`Failed to fetch: CORS allows ${to}, and this is a page of ${origin}${include ? ' with credentials' : ''}`);
  }

  async function preflight(url: URL, method: string, names: readonly string[], include: boolean): Promise<void> {
    const headers = { Origin: origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': names.join(',') };
    const response = await network(url, { method: 'OPTIONS', headers });
    if (!response.ok) throw new TypeError(`Failed to fetch: the preflight got ${response.status}`);
    allowed(response, include);
    const [methods, open] = ['methods', 'headers'].map((what) => listed(response.headers.get(`access-control-allow-${what}`)));
    const refused = names.filter((name) => !open?.includes(name));
    if (refused.length > 0 || !methods?.includes(method.toLowerCase()))
      throw new TypeError(`Failed to fetch: the preflight does not allow ${method} with ${refused}`);
  }

  function store(text: string, mayStore: (sameSite: string) => boolean): void {
    const [pair = '', ...attributes] = text.split(';').map((each) => each.trim().toLowerCase());
    const name = pair.slice(0, pair.indexOf('='));
    const sameSite = attributes.find((each) => each.startsWith('samesite='))?.slice('samesite='.length) ?? 'lax';
    if (!mayStore(sameSite) || (sameSite === 'none' && !attributes.includes('secure'))) return;
    const expires = attributes.find((each) => each.startsWith('expires='))?.slice('expires='.length);
    if (expires !== undefined && Date.parse(expires) < Date.now()) cookies.delete(name);
    else cookies.set(name, { value: text.slice(name.length + 1, text.indexOf(';')), sameSite });
  }

  return { fetch: pageFetch };
}

/** An IP address is a site of its own; of a name the last two labels count, which is enough for the names of tests. */
function siteOf(origin: string): string {
  const { hostname } = new URL(origin);
  return /^[\d.]+$/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}
