/** The documents of a consistency test, and what its clients do with them. Clients work in crews: each round, the members of a crew send requests for
 *  the same documents at the same moment, so that they get in each other's way as often as possible. */

const relation = (kind, target, more) => ({ type: 'relation', relation: kind, target: `api::${target}.${target}`, ...more });
const text = { type: 'string' };

const types = {
  register: { value: text },
  note: { name: text, group: text, number: { type: 'integer' } },
  claim: { title: { type: 'string', unique: true }, name: text, code: { type: 'uid', targetField: 'name' }, group: text },
  pad: { name: text, target: relation('oneToOne', 'target', { inversedBy: 'pad' }) },
  target: { name: text, pad: relation('oneToOne', 'pad', { mappedBy: 'target' }) },
  item: { name: text },
  list: { name: text, items: relation('manyToMany', 'item', {}), lines: { type: 'component', component: 'part.line', repeatable: true } },
};
const rights = Object.fromEntries(Object.keys(types).map((name) => [name, ['find', 'findOne', 'create', 'update']]));

/** The files of the project, by path. */
export const projectFiles = {
  'package.json': { name: 'consistency', private: true },
  'permissions.json': { roles: { public: { rights } } },
  'src/components/part/line.json': {
    collectionName: 'components_part_lines',
    info: { displayName: 'line' },
    options: {},
    attributes: { name: text },
  },
  ...Object.fromEntries(
    Object.entries(types).map(([name, attributes]) => [
      `src/api/${name}/content-types/${name}/schema.json`,
      {
        ...{ kind: 'collectionType', collectionName: `${name}s`, options: { draftAndPublish: false }, attributes },
        info: { singularName: name, pluralName: `${name}s`, displayName: name },
      },
    ]),
  ),
};

/** Documents that lists link to. Few enough for one page of a list. */
const itemCount = 40;
/** Documents that take a target from each other. */
const pads = ['pad0', 'pad1', 'pad2'];
/** Writes to a document, after which a crew goes on with another one. */
const most = { register: 60, set: 60, unique: 40, owner: 60, list: itemCount, components: 25 };
/** Members send as many requests in a round. */
const requestsOfRound = 4;
/** How many of a hundred reads send the latest position of their client, and that of another one. */
const withPosition = { own: 50, others: 15 };

const workloads = Object.keys(most);

/** Makes the documents that all lists link to.
 *  @returns {Promise<Map<string, string>>} their documentIds by name */
export async function makeItems(ask) {
  const items = new Map();
  for (let index = 0; index < itemCount; index++) {
    const name = `item${index}`;
    const { status, json } = await ask({ method: 'POST', path: '/api/items', body: { data: { name } } });
    if (status !== 201) throw new Error(`${name} was not made: status ${status}`);
    items.set(name, json.data.documentId);
  }
  return items;
}

/** A client, which has one request at a time. Each goes to a server at random. */
export class Client {
  position;
  process;
  #send;
  #history;
  #random;
  #count = 0;

  /** @param {(request: object) => Promise<{server: number, status: number, json: any, headers: object}>} send to one of the servers */
  constructor(process, { send, history, random }) {
    this.process = process;
    this.#send = send;
    this.#history = history;
    this.#random = random;
  }

  below(count) {
    return Math.floor(this.#random() * count);
  }

  chance(percent) {
    return this.#random() * 100 < percent;
  }

  /** A value that nobody else writes. */
  newValue() {
    return `p${this.process}.${this.#count++}`;
  }

  /** @param {object} operation what the history has
   *  @param {{method?: string, path: string, headers?: object, body?: object}} request
   *  @param {(response: {json: any, headers: object}) => object} seen what a successful response shows: `value`,
   *  `version`, `code` and `list` are for the history */
  async run(operation, request, seen) {
    const { position } = operation;
    this.#history.add({ type: 'invoke', process: this.process, ...operation });
    const headers = { ...request.headers, ...(position === undefined ? {} : { 'X-Lectern-Position': position }) };
    const response = await this.#send({ ...request, headers }, this.#random);
    const { status, json, server } = response;
    const isRead = operation.f === 'read';
    const isDone = status >= 200 && status < 300;
    const received = isDone ? response.headers['x-lectern-position'] : undefined;
    // The latest position is the last one in the order of texts.
    if (received !== undefined && (this.position === undefined || received > this.position)) this.position = received;
    const { workload, f, key } = operation;
    // A document that this server does not have yet, or no longer.
    const isAbsent = isRead && status === 404 && workload === 'register';
    // If the request was sent more than once, an earlier one may have done what the last one refuses.
    const isRefused = status >= 400 && status < 500 && !response.isRepeated;
    const type = isDone || isAbsent ? 'ok' : isRead || isRefused ? 'fail' : 'info';
    const why = isDone ? {} : { why: json?.error?.message ?? response.reason };
    const shown = isDone ? seen(response) : isAbsent ? { value: null } : {};
    const { value, version, code, list } = shown;
    this.#history.add({
      ...{ type, process: this.process, workload, f, key, value, version, code, list },
      ...{ server, source: sourceOf(response.headers), status, ...why, position: received },
    });
    return { isDone, ...shown };
  }

  /** A request that is no part of the history. */
  plain(request) {
    return this.#send(request, this.#random);
  }

  /** The position that a read sends, if any. */
  positionFor(crew) {
    const others = crew.clients[this.below(crew.clients.length)];
    const position = this.chance(withPosition.own) ? this.position : this.chance(withPosition.others) ? others.position : undefined;
    return position === undefined ? {} : { position };
  }
}

/** What has served a read, other than the primary: a replica, or the cache of responses. */
function sourceOf({ 'server-timing': timing = '' }) {
  const [, replica] = /replica;desc="(\d+)"/.exec(timing) ?? [];
  if (replica !== undefined) return `replica ${replica}`;
  return timing.includes('cache;desc=hit') ? 'cache' : undefined;
}

/** Clients that work on the same documents. */
export class Crew {
  clients;
  /** The document of each workload: its key, its documentId, and how many writes it has had. */
  documents = new Map();
  /** All keys so far, with their documentIds, for the reads at the end. */
  keys = [];
  items;
  #name;
  #rounds;

  /** Crews begin with different workloads. */
  constructor(number, clients, items) {
    this.#name = `crew${number}`;
    this.#rounds = number;
    this.clients = clients;
    this.items = items;
  }

  async round() {
    const [leader] = this.clients;
    const workload = workloads[this.#rounds++ % workloads.length];
    const document = await this.#documentOf(workload, leader);
    if (document === undefined) return;
    await Promise.all(
      this.clients.map(async (client) => {
        for (let index = 0; index < requestsOfRound; index++) await actions[workload](client, document, this);
      }),
    );
  }

  async #documentOf(workload, leader) {
    const current = this.documents.get(workload);
    if (current !== undefined && current.writes < most[workload]) return current;
    const key = `${this.#name}.${this.keys.length}`;
    const document = { workload, key, writes: 0, known: new Map(), next: 0 };
    if (workload in makes && !(await makes[workload](leader, document))) return undefined;
    this.documents.set(workload, document);
    this.keys.push(document);
    return document;
  }
}

/** Documents that have to be there before a crew works on them. Each returns whether it was made. */
const makes = {
  async register(client, document) {
    const value = client.newValue();
    const operation = { workload: 'register', f: 'create', key: document.key, value };
    const { isDone, id } = await client.run(
      operation,
      { method: 'POST', path: '/api/registers', body: { data: { value } } },
      ({ json, headers }) => ({
        ...registerOf({ json, headers }),
        id: json.data.documentId,
      }),
    );
    document.id = id;
    return isDone;
  },
  async owner(client, document) {
    document.pads = new Map();
    for (const name of pads) {
      const { status, json } = await client.plain({ method: 'POST', path: '/api/pads', body: { data: { name } } });
      if (status !== 201) return false;
      document.pads.set(name, json.data.documentId);
    }
    return makeNamed(client, document, '/api/targets');
  },
  list: (client, document) => makeNamed(client, document, '/api/lists'),
  components: (client, document) => makeNamed(client, document, '/api/lists'),
};

async function makeNamed(client, document, path) {
  const { status, json } = await client.plain({ method: 'POST', path, body: { data: { name: document.key } } });
  document.id = json?.data?.documentId;
  return status === 201;
}

const registerOf = ({ json, headers }) => {
  const etag = headers.etag ?? '';
  // The first part is the version of the document, without the response that shows it.
  return { value: json.data.value, version: /^"([^.]+)\./.exec(etag)?.[1], etag };
};
const namesOf = (entries) => entries.map(({ name }) => name);

/** One request of a client, or two for a component. */
const actions = {
  async register(client, document, crew) {
    const path = `/api/registers/${document.id}`;
    const known = document.known.get(client);
    const note = (seen) => {
      if (seen.isDone) document.known.set(client, seen);
    };
    const isWrite = client.chance(60);
    if (!isWrite || (known === undefined && client.chance(50))) return note(await readDocument(client, document, client.positionFor(crew)));
    document.writes++;
    const value = client.newValue();
    const request = { method: 'PATCH', path, body: { data: { value } } };
    const operation = { workload: 'register', key: document.key, value };
    if (known === undefined || client.chance(25)) return note(await client.run({ ...operation, f: 'write' }, request, registerOf));
    const cas = { ...operation, f: 'cas', from: known.value };
    const seen = await client.run(cas, { ...request, headers: { 'If-Match': known.etag } }, registerOf);
    // Whatever it was, it is out of date.
    document.known.delete(client);
    note(seen);
  },
  async set(client, document, crew) {
    if (client.chance(35)) return readDocument(client, document, client.positionFor(crew));
    document.writes++;
    const name = client.newValue();
    const isRefused = client.chance(5);
    const data = { name, group: document.key, ...(isRefused ? { number: 'none' } : {}) };
    const request = {
      method: 'POST',
      path: '/api/notes',
      body: { data },
      headers: { 'Idempotency-Key': `key-${name}` },
      isRepeated: true,
    };
    await client.run({ workload: 'set', f: 'add', key: document.key, value: name }, request, () => ({}));
  },
  async unique(client, document, crew) {
    if (client.chance(20)) return readDocument(client, document, client.positionFor(crew));
    const members = crew.clients.length;
    const title = `${document.key}-${Math.floor(document.writes++ / members)}`;
    const data = { title, name: `Name ${document.key}`, group: document.key };
    await client.run(
      { workload: 'unique', f: 'claim', key: document.key, value: title },
      { method: 'POST', path: '/api/claims', body: { data } },
      ({ json }) => ({
        code: json.data.code,
      }),
    );
  },
  async owner(client, document, crew) {
    if (client.chance(30)) return readDocument(client, document, client.positionFor(crew));
    document.writes++;
    const pad = pads[client.below(pads.length)];
    const request = { method: 'PATCH', path: `/api/pads/${document.pads.get(pad)}`, body: { data: { target: document.id } } };
    await client.run({ workload: 'owner', f: 'take', key: document.key, value: pad }, request, () => ({}));
  },
  async list(client, document, crew) {
    if (document.next >= itemCount || client.chance(40)) return readDocument(client, document, client.positionFor(crew));
    document.writes++;
    const name = `item${document.next++}`;
    const data = { items: { connect: [crew.items.get(name)] } };
    const request = { method: 'PATCH', path: `/api/lists/${document.id}?${withItems}`, body: { data } };
    await client.run({ workload: 'list', f: 'append', key: document.key, value: name }, request, ({ json }) => ({
      list: namesOf(json.data.items),
    }));
  },
  async components(client, document, crew) {
    const read = await readDocument(client, document, client.positionFor(crew));
    if (!read.isDone || client.chance(30)) return;
    document.writes++;
    const name = client.newValue();
    const request = {
      ...{ method: 'PATCH', path: `/api/lists/${document.id}?${withLines}`, headers: { 'If-Match': read.etag } },
      body: { data: { lines: [...read.lines, { name }] } },
    };
    const operation = { workload: 'components', f: 'append', key: document.key, value: name };
    await client.run(operation, request, ({ json }) => ({ list: namesOf(json.data.lines) }));
  },
};

const withItems = 'populate[items][fields]=name';
const withLines = 'populate[lines]=true';
const page = 'pagination[pageSize]=100&sort=id';

const reads = {
  register: { path: ({ id }) => `/api/registers/${id}`, seen: registerOf },
  set: { path: ({ key }) => `/api/notes?filters[group]=${key}&fields=name&${page}`, seen: ({ json }) => ({ value: namesOf(json.data) }) },
  unique: {
    path: ({ key }) => `/api/claims?filters[group]=${key}&fields=title,code&${page}`,
    seen: ({ json }) => ({ value: json.data.map(({ title, code }) => [title, code]) }),
  },
  owner: {
    path: ({ id }) => `/api/pads?filters[target][documentId]=${id}&fields=name&${page}`,
    seen: ({ json }) => ({ value: namesOf(json.data) }),
  },
  list: { path: ({ id }) => `/api/lists/${id}?${withItems}`, seen: ({ json }) => ({ value: namesOf(json.data.items) }) },
  components: {
    path: ({ id }) => `/api/lists/${id}?${withLines}`,
    seen: ({ json, headers }) => ({ value: namesOf(json.data.lines), lines: json.data.lines, etag: headers.etag }),
  },
};

/** `more`: a position, or the server that has to respond. */
export function readDocument(client, document, { server, ...more }) {
  const { workload, key } = document;
  const { path, seen } = reads[workload];
  return client.run({ workload, f: 'read', key, ...more }, { path: path(document), ...(server === undefined ? {} : { server }) }, seen);
}
