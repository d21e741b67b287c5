/** Writes beside the reads of mixed traffic: an editor changes one article after another, through the server that is measured. */

/** Milliseconds. */
const patience = 20_000;

/** @param {string} base
 *  @param {{documents: readonly string[], attribute: string, perSecond: number}} orders `attribute` takes integers */
export function createWriter(base, { documents, attribute, perSecond }) {
  const counts = { written: 0, failed: 0, firstFailure: undefined };
  const pending = new Set();
  let number = 0;
  let timer;

  async function write() {
    const document = documents[(number++ * 31) % documents.length];
    try {
      const response = await fetch(`${base}/api/articles/${document}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { [attribute]: number } }),
        signal: AbortSignal.timeout(patience),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
      counts.written++;
    } catch (error) {
      counts.failed++;
      counts.firstFailure ??= error.message;
    }
  }

  return {
    counts,
    begin() {
      timer = setInterval(() => {
        const writing = write().finally(() => pending.delete(writing));
        pending.add(writing);
      }, 1000 / perSecond);
    },
    /** None of its writes burdens what is measured next. */
    async end() {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}
