/** Documents that are scheduled while faults happen: each is published once, whoever was killed meanwhile. */
import { ask, jsonOf } from './ask.mjs';

const uid = 'api::notice.notice';
/** Milliseconds until they are due, at least, and at most as many more. */
const wait = { least: 500, more: 3000 };
/** What was due during an outage is published within this time. Milliseconds. */
const patience = 60_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Notices {
  #project;
  /** Those whose time was acknowledged, by documentId. */
  #scheduled = new Set();

  constructor(project) {
    this.#project = project;
  }

  get count() {
    return this.#scheduled.size;
  }

  /** Makes a few, which become due within seconds. One that the server refuses is none. */
  async schedule(base, count, random) {
    const { headers } = this.#project;
    const post = (path, data) => ask(base, { method: 'POST', path, headers, body: { data } });
    for (let index = 0; index < count; index++) {
      const made = await post('/api/notices?status=draft', { title: `notice ${this.#scheduled.size}` });
      if (made.status !== 201) continue;
      const { documentId } = JSON.parse(made.raw).data;
      const publishAt = new Date(Date.now() + wait.least + random() * wait.more).toISOString();
      const { status } = await post(`/api/notices/${documentId}/schedule`, { publishAt });
      if (status === 200) this.#scheduled.add(documentId);
    }
  }

  /** Returns what is wrong, as sentences. */
  async check(base) {
    const { headers, command } = this.#project;
    const listed = async (state) => jsonOf(await ask(base, { path: `/api/_schedule?state=${state}`, headers }), 200).data;
    const until = performance.now() + patience;
    while ((await listed('waiting')).length > 0 && performance.now() < until) await pause(200);
    const failed = (await listed('failed')).map(({ documentId, problem }) => `the notice ${documentId} was not published: ${problem}`);
    const counts = new Map();
    for (const event of JSON.parse(await command('events', '--json', '--limit', '100000')))
      if (event.uid === uid && event.type === 'publish') counts.set(event.documentId, (counts.get(event.documentId) ?? 0) + 1);
    const wrong = [...this.#scheduled]
      .filter((documentId) => counts.get(documentId) !== 1)
      .map((documentId) => `the notice ${documentId} was published ${counts.get(documentId) ?? 0} times`);
    const twice = [...counts].filter(([documentId, count]) => count > 1 && !this.#scheduled.has(documentId));
    return [...failed, ...wrong, ...twice.map(([documentId, count]) => `the notice ${documentId} was published ${count} times`)];
  }
}
