/** Clients that read, write, upload and sign in, each one request after another, until `stop`. Responses to reads are compared with the acknowledged writes. */
import { randomNumbers } from '../content.mjs';
import { ask } from './ask.mjs';
import { bodyOf, populateAll, populateSome, readForm } from './forms.mjs';
import { fileForm } from './images.mjs';

/** Shares of the requests: with 0.05, five of a hundred are not reads; of these, one in 16 sends or deletes a file, and one in 24 signs in. */
const filesShare = 1 / 16;
const signInShare = 1 / 24;
/** The most files, so that the library does not grow. */
const maxFiles = 60;
/** Milliseconds that a client waits after 503 or no response. */
const pauseAfterFailure = 40;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Load {
  /** Figures since the last `take`: milliseconds of each response, and counts by status. */
  times = [];
  requests = 0;
  statuses = new Map();
  /** The first problems, and the number of all. */
  wrong = [];
  wrongCount = 0;
  searches = 0;
  #project;
  #records;
  #options;
  #target;
  #running = [];
  #stopped = true;
  #slotWeights;
  #images;

  /** @param {{connections: number, writes: number, seed: number, search?: boolean, isExpected: (status: number) => boolean}} options `isExpected`: whether a status other
   *    than success is not an error at this time */
  constructor(project, records, images, options) {
    this.#project = project;
    this.#records = records;
    this.#images = images;
    this.#options = options;
    // Zipf: the n-th work is read once for every n reads of the first.
    let sum = 0;
    this.#slotWeights = records.slots.map((_, index) => {
      sum += 1 / (index + 1);
      return sum;
    });
    this.randoms = Array.from({ length: options.connections }, (_, index) => randomNumbers(options.seed * 1000 + index));
  }

  /** @param {string} base URL of the server */
  set target(base) {
    this.#target = base;
  }

  /** Makes a work in every slot. */
  async fill() {
    const empty = this.#records.slots.keys();
    await Promise.all(
      this.randoms.slice(0, 16).map(async (random) => {
        for (const slot of empty) await this.#create(slot, random);
      }),
    );
    Object.assign(this, { times: [], requests: 0 });
    this.#records.acknowledged = 0;
    this.statuses.clear();
  }

  start() {
    this.#stopped = false;
    this.#running = this.randoms.map((random) => this.#client(random));
  }

  /** Waits for the responses. */
  async stop() {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  report(problem) {
    this.wrongCount++;
    if (this.wrong.length < 20) this.wrong.push(problem);
  }

  async #client(random) {
    while (!this.#stopped) {
      const { status } = await this.#act(random);
      if (status === 0 || status === 503 || status === 507) await pause(pauseAfterFailure);
    }
  }

  #act(random) {
    if (random() >= this.#options.writes) return this.#read(random);
    const kind = random();
    if (kind < filesShare) return this.#file(random);
    if (kind < filesShare + signInShare) return this.#signIn(random);
    return this.#write(random);
  }

  async #send(expected, request) {
    const response = await ask(this.#target, { ...request, headers: { ...this.#project.headers, ...request.headers } });
    const { status, milliseconds, raw } = response;
    this.requests++;
    this.times.push(milliseconds);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (!expected.includes(status) && !this.#options.isExpected(status))
      this.report(`${request.method ?? 'GET'} ${request.path}: status ${status} ${raw.toString().slice(0, 500)}`);
    return response;
  }

  #slot(random) {
    const at = random() * this.#slotWeights.at(-1);
    const found = this.#slotWeights.findIndex((weight) => weight > at);
    return Math.max(0, found);
  }

  #read(random) {
    if (this.#options.search && random() < 0.4) return this.#search(random);
    const kind = random();
    if (kind < 0.6) return this.#readOne(random);
    if (kind < 0.95) return this.#readList(random);
    return this.#readFile(random);
  }

  async #readOne(random) {
    const work = this.#records.slots[this.#slot(random)];
    if (work?.id === undefined) return this.#readList(random);
    const [locale, status] = [random() < 0.8 ? 'en' : 'de', random() < 0.8 ? 'published' : 'draft'];
    const { clock } = this.#records;
    const path = `/api/works/${work.id}?status=${status}&locale=${locale}&${populateAll}`;
    const response = await this.#send([200, 404], { path });
    if (response.status === 404) this.#see(work.key, clock, `${locale}.${status}`, undefined);
    if (response.status === 200) this.#seeEntry(JSON.parse(response.raw).data, clock, `${locale}.${status}`, true);
    return response;
  }

  async #readList(random) {
    const [locale, status] = [random() < 0.8 ? 'en' : 'de', random() < 0.8 ? 'published' : 'draft'];
    const { clock } = this.#records;
    const page = 1 + Math.floor(random() * 5);
    const filter = random() < 0.5 ? '' : `&filters[author][name]=person ${Math.floor(random() * 8)}`;
    const query = `status=${status}&locale=${locale}&sort=title&pagination[page]=${page}&pagination[pageSize]=10${filter}&${populateSome}`;
    const response = await this.#send([200], { path: encodeURI(`/api/works?${query}`) });
    if (response.status !== 200) return response;
    for (const entry of JSON.parse(response.raw).data) this.#seeEntry(entry, clock, `${locale}.${status}`, false);
    return response;
  }

  /** Searches for a form that a work has or had: what an acknowledged write says is found, and what it replaced is not. */
  async #search(random) {
    const work = this.#records.slots[this.#slot(random)];
    const { clock } = this.#records;
    const place = `${random() < 0.8 ? 'en' : 'de'}.${random() < 0.6 ? 'published' : 'draft'}`;
    const versions = work === undefined || random() < 0.5 ? [] : work.versions.slice(-4);
    const version = versions[Math.floor(random() * versions.length)];
    const n = (version?.state ?? (work && this.#records.stateOf(work)))?.[place];
    if (n === undefined) return this.#readList(random);
    const [locale, status] = place.split('.');
    const text = encodeURIComponent(`"${work.key} ${n}" `);
    const path = `/api/works?status=${status}&locale=${locale}&fields=title,number&filters[$search]=${text}`;
    const response = await this.#send([200], { path });
    if (response.status !== 200) return response;
    this.searches++;
    const found = JSON.parse(response.raw).data;
    for (const { title, number } of found)
      if (title !== `${work.key} ${n}` || number !== n) this.report(`search: "${work.key} ${n}" finds ${title}, ${number} in ${place}`);
    const states = this.#records.allowed(work, clock);
    if (!states.some((state) => (state[place] === n) === found.length > 0))
      this.report(
        `search: "${work.key} ${n}" finds ${found.length} in ${place}, which has ${states.map((state) => state[place]).join(' or ')}`,
      );
    return response;
  }

  #seeEntry(entry, clock, place, isWhole) {
    const { key, n, problem } = readForm(entry, isWhole);
    if (problem !== undefined) this.report(`${place}: ${problem}`);
    this.#see(key, clock, place, n);
  }

  #see(key, clock, place, n) {
    const problem = this.#records.staleness(key, clock, place, n);
    if (problem !== undefined) this.report(problem);
  }

  async #readFile(random) {
    const files = [...this.#records.files.values()].filter(({ isBusy, url }) => !isBusy && url !== undefined);
    const file = files[Math.floor(random() * files.length)];
    if (file === undefined) return this.#readList(random);
    const response = await this.#send([200, 404], { path: file.url });
    const wasDeleted = file.isBusy || !file.possible.has('there');
    if (response.status === 404 && !wasDeleted) this.report(`${file.url} is gone`);
    if (response.status === 200 && file.name.endsWith('.txt') && !response.raw.equals(file.bytes))
      this.report(`${file.url} has other bytes`);
    return response;
  }

  async #write(random) {
    const { slots } = this.#records;
    // Half of them change what is read most.
    const slot = random() < 0.5 ? this.#slot(random) : Math.floor(random() * slots.length);
    const work = slots[slot];
    if (work === undefined) return this.#create(slot, random);
    if (work.isBusy) return this.#read(random);
    const kind = random();
    if (kind < 0.08) return this.#change(work, {}, 'DELETE', '?locale=*');
    const state = this.#records.stateOf(work);
    const hasGerman = state['de.draft'] !== undefined;
    if (kind < 0.14 && hasGerman)
      return this.#change(work, { ...state, 'de.draft': undefined, 'de.published': undefined }, 'DELETE', '?locale=de');
    const locale = kind < 0.35 ? 'de' : 'en';
    const status = random() < 0.65 ? 'published' : 'draft';
    const n = this.#records.nextForm();
    const after = { ...state, [`${locale}.draft`]: n, ...(status === 'published' ? { [`${locale}.published`]: n } : {}) };
    return this.#change(work, after, random() < 0.5 ? 'PATCH' : 'PUT', `?locale=${locale}&status=${status}`, n);
  }

  #create(slot, random) {
    const work = this.#records.add(slot);
    const status = random() < 0.7 ? 'published' : 'draft';
    const n = this.#records.nextForm();
    return this.#change(work, { 'en.draft': n, ...(status === 'published' ? { 'en.published': n } : {}) }, 'POST', `?status=${status}`, n);
  }

  async #change(work, state, method, query, n) {
    const change = this.#records.begin(work, state);
    const path = `/api/works${work.id === undefined ? '' : `/${work.id}`}${query}`;
    const body = n === undefined ? {} : { body: bodyOf(work.key, n, this.#project.ids) };
    const response = await this.#send([200, 201, 204], { method, path, ...body });
    if (response.status >= 200 && response.status < 300) {
      change.acknowledge(response.status === 201 ? JSON.parse(response.raw).data.documentId : undefined);
    } else change.leave();
    return response;
  }

  async #file(random) {
    const { files } = this.#records;
    const quiet = [...files.values()].filter(({ isBusy, id }) => !isBusy && id !== undefined);
    if (quiet.length > 5 && (files.size >= maxFiles || random() < 0.4)) return this.#deleteFile(quiet[Math.floor(random() * quiet.length)]);
    if (files.size >= maxFiles) return this.#read(random);
    const isImage = random() < 0.2;
    const name = this.#records.nextName(isImage ? '.png' : '.txt');
    const bytes = isImage
      ? this.#images[Math.floor(random() * this.#images.length)]
      : Buffer.from(`${name} `.repeat(100 + Math.floor(random() * 400)));
    const file = { name, bytes, id: undefined, url: undefined, possible: new Set(['there', 'gone']), isBusy: true, leftAt: undefined };
    files.set(name, file);
    const response = await this.#send([201], { method: 'POST', path: '/api/upload', ...fileForm(name, bytes) });
    if (response.status !== 201) {
      file.leftAt = performance.now();
      return response;
    }
    const [made] = JSON.parse(response.raw);
    Object.assign(file, { id: made.id, url: made.url, possible: new Set(['there']), isBusy: false });
    this.#records.acknowledged++;
    return response;
  }

  async #deleteFile(file) {
    file.isBusy = true;
    file.possible = new Set(['there', 'gone']);
    const response = await this.#send([200, 204], { method: 'DELETE', path: `/api/upload/files/${file.id}` });
    if (response.status !== 200 && response.status !== 204) {
      file.leftAt = performance.now();
      return response;
    }
    this.#records.files.delete(file.name);
    this.#records.acknowledged++;
    return response;
  }

  async #signIn(random) {
    const { users, password } = this.#project;
    const username = `user${Math.floor(random() * users)}`;
    const body = { identifier: username, password };
    const response = await this.#send([200], { method: 'POST', path: '/api/auth/local', headers: { Authorization: '' }, body });
    if (response.status === 200 && JSON.parse(response.raw).user.username !== username) this.report(`${username} got another user`);
    return response;
  }
}
