/** The texts of responses with their entity tags, so that a 304 can stand for them. Texts, and not values: each caller gets a value of its own. */

export interface StoredResponse {
  readonly etag: string;
  readonly text: string;
}

export interface ResponseCache {
  get(key: string): StoredResponse | undefined;
  put(key: string, stored: StoredResponse): void;
}

/** Holds so many characters; forgets first what was asked for longest ago. */
export function createResponseCache(limit: number): ResponseCache {
  const entries = new Map<string, StoredResponse>();
  let size = 0;
  function take(key: string): StoredResponse | undefined {
    const stored = entries.get(key);
    if (stored === undefined) return undefined;
    entries.delete(key);
    size -= key.length + stored.text.length;
    return stored;
  }
  function put(key: string, stored: StoredResponse): void {
    take(key);
    entries.set(key, stored);
    size += key.length + stored.text.length;
    for (const oldest of entries.keys()) {
      if (size <= limit) return;
      take(oldest);
    }
  }
  return {
    get(key) {
      const stored = take(key);
      if (stored !== undefined) put(key, stored);
      return stored;
    },
    put,
  };
}
