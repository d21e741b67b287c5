/** `fetch` that remembers what was sent and received. */

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly status: number;
  /** Bytes of the body that arrived; undefined if it was not counted by the server. */
  readonly length: string | null;
}

export function recordedFetch(): { readonly fetch: typeof globalThis.fetch; readonly exchanges: Exchange[] } {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async fetch(url, init) {
      const response = await fetch(url, init);
      const { method = 'GET' } = init ?? {};
      const length = response.headers.get('content-length');
      exchanges.push({ method, url: String(url), headers: new Headers(init?.headers), status: response.status, length });
      return response;
    },
  };
}
