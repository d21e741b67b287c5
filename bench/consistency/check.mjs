/** Checks the history of a consistency test (`history.mjs`), in the manner of Jepsen's checkers. Pure functions.
 *
 *  What a read may show: everything that was acknowledged before it began, except what was acknowledged within the last `staleness` milliseconds.
 *  A read that sends a position has to show the operation that received the position, and everything that was acknowledged before this operation began.
 *  A write that was not acknowledged may have happened at any time after it began, or never. */

/** @typedef {{process: number, workload: string, f: string, key: string, value: unknown, start: number, end: number, type: string}} Operation
 *  `value` of a completed read is what it showed, that of a write what it wrote; `end` is Infinity if nobody knows what became of it. */

/** With as many operations, a kind of documents has to have reads and acknowledged writes: otherwise the test says nothing. */
const enough = 20;

/** @param {object[]} lines
 *  @returns {{anomalies: {kind: string, workload: string, key: string, text: string}[], figures: object}} */
export function checkHistory(lines) {
  const { staleness } = lines.find(({ f }) => f === 'begin') ?? {};
  if (staleness === undefined) throw new Error('the history has no line that begins it, with its staleness');
  const operations = operationsOf(lines);
  const anomalies = [];
  const oldest = { age: 0 };
  const byPosition = grouped(
    operations.filter(({ received }) => received !== undefined),
    ({ received }) => received,
  );
  for (const group of grouped(operations, ({ workload, key }) => `${workload} ${key}`).values()) {
    const { workload, key } = group[0];
    const report = (kind, text) => anomalies.push({ kind, workload, key, text });
    checks[workload](new Seen(group, { staleness, byPosition, oldest }), report);
  }
  for (const { workload, key, f, status, why } of operations)
    if (status >= 500 && status !== 503) anomalies.push({ kind: 'status', workload, key, text: `${f} got ${status}: ${why}` });
  const figures = figuresOf(operations, lines, oldest.age);
  for (const [workload, { reads, acknowledged, refused, unknown }] of Object.entries(figures.workloads))
    if (reads + acknowledged + refused + unknown >= enough && (reads === 0 || acknowledged === 0))
      anomalies.push({ kind: 'idle', workload, key: 'all', text: 'nothing was read, or no write acknowledged' });
  return { anomalies, figures };
}

function operationsOf(lines) {
  const open = new Map();
  const operations = [];
  for (const { type, process, time, ...rest } of lines) {
    if (rest.workload === undefined) continue;
    if (type === 'invoke') {
      const operation = { process, ...rest, asked: rest.value, start: time, end: Number.POSITIVE_INFINITY, type: 'info' };
      open.set(process, operation);
      operations.push(operation);
    } else {
      const { position: received, ...end } = rest;
      Object.assign(open.get(process), end, { received, type, end: type === 'info' ? Number.POSITIVE_INFINITY : time });
      open.delete(process);
    }
  }
  return operations;
}

function grouped(list, nameOf) {
  const groups = new Map();
  for (const each of list) {
    const name = nameOf(each);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [each]);
    else group.push(each);
  }
  return groups;
}

/** The operations on one document, and what each read of it has to show. */
class Seen {
  reads;
  writes;
  #of;

  constructor(operations, of) {
    this.#of = of;
    this.reads = operations.filter(({ f, type }) => f === 'read' && type === 'ok');
    this.writes = operations.filter(({ f }) => f !== 'read');
  }

  /** Operations on this document that the read must show because of the position that it sent. */
  before(read) {
    return this.#sources(read).filter(({ workload, key }) => workload === read.workload && key === read.key);
  }

  /** The time at which the read may have seen the document, at the earliest. */
  earliest(read) {
    return Math.max(read.start - this.#of.staleness, ...this.#sources(read).map(({ start }) => start));
  }

  /** The acknowledged writes that the read had to show, and did not. */
  missing(read, shows) {
    const earliest = this.earliest(read);
    const before = new Set(this.before(read));
    return this.writes.filter((write) => write.type === 'ok' && (write.end < earliest || before.has(write)) && !shows(write));
  }

  /** Notes the age of a read that shows everything that was ever written, except what it lacks. */
  noteAge(read, shows) {
    for (const { type, end, asked } of this.writes)
      if (type === 'ok' && end < read.start && !shows({ asked })) this.#of.oldest.age = Math.max(this.#of.oldest.age, read.start - end);
  }

  /** Several operations may receive the same text, on Galera all of one second. */
  #sources({ position, start }) {
    return position === undefined ? [] : (this.#of.byPosition.get(position) ?? []).filter(({ end }) => end <= start);
  }
}

const at = ({ start, end, process, server, source }) => {
  const by = [`process ${process}`, ...(server === undefined ? [] : [`server ${server}`]), ...(source === undefined ? [] : [source])];
  return `${by.join(', ')}, ${start.toFixed(0)}–${Number.isFinite(end) ? end.toFixed(0) : '?'} ms`;
};
const staleText = (read, write) =>
  `a read (${at(read)}${read.position === undefined ? '' : ', with a position'}) lacks ${JSON.stringify(write.asked)} (${at(write)})`;

/** Problems of a list that a read shows, whatever its order. */
function reportValues(seen, read, values, report) {
  const written = grouped(seen.writes, ({ asked }) => asked);
  const shown = new Set();
  for (const value of values) {
    if (shown.has(value)) report('twice', `${JSON.stringify(value)} is there twice in a read (${at(read)})`);
    shown.add(value);
    reportValue(written.get(value) ?? [], value, read, report);
  }
  return shown;
}

function reportValue(writes, value, read, report) {
  if (writes.length === 0) report('phantom', `${JSON.stringify(value)} was never written (${at(read)})`);
  else if (writes.every(({ type }) => type === 'fail'))
    report('refused', `${JSON.stringify(value)} was refused, and is there (${at(read)})`);
  else if (writes.every(({ start }) => start > read.end))
    report('phantom', `${JSON.stringify(value)} is there before it was written (${at(read)})`);
}

/** Reads after everything came to rest. */
const isLast = ({ last }) => last === true;

function reportMissing(seen, read, shows, report) {
  seen.noteAge(read, shows);
  for (const write of seen.missing(read, shows)) report(isLast(read) ? 'lost' : 'stale', staleText(read, write));
}

/** Values of their own that are added: at the end each acknowledged one is there once, and no refused one. */
function checkSet(seen, report) {
  for (const read of seen.reads) {
    const shown = reportValues(seen, read, read.value, report);
    reportMissing(seen, read, ({ asked }) => shown.has(asked), report);
    for (const earlier of seen.before(read))
      if (earlier.f === 'read')
        for (const value of earlier.value) if (!shown.has(value)) report('backwards', staleText(read, { ...earlier, asked: value }));
  }
}

/** Values that are appended to a list: reads are prefixes of one another, and the order is that of time. */
function checkList(seen, report) {
  const appends = seen.writes.filter(({ type }) => type === 'ok');
  const views = [...seen.reads, ...appends.map((append) => ({ ...append, value: append.list }))];
  const longest = views.reduce((most, { value }) => (value.length > most.length ? value : most), []);
  for (const view of views) {
    const shown = reportValues(seen, view, view.value, report);
    const wrong = view.value.findIndex((value, index) => value !== longest[index]);
    if (wrong >= 0) report('order', `${view.value.slice(0, wrong + 1).join(' ')} is no beginning of ${longest.join(' ')} (${at(view)})`);
    if (view.f !== 'read') {
      if (view.value.at(-1) !== view.asked)
        report('order', `the response to the append of ${view.asked} ends with ${view.value.at(-1)} (${at(view)})`);
      continue;
    }
    reportMissing(seen, view, ({ asked }) => shown.has(asked), report);
    for (const earlier of seen.before(view))
      if (earlier.f === 'read' && earlier.value.length > view.value.length)
        report('backwards', staleText(view, { ...earlier, asked: earlier.value.at(-1) }));
  }
  const byValue = new Map(seen.writes.map((write) => [write.asked, write]));
  longest.forEach((value, index) => {
    for (const later of longest.slice(index + 1)) {
      const [first, second] = [byValue.get(value), byValue.get(later)];
      if (first !== undefined && second !== undefined && second.end < first.start)
        report('order', `${value} stands before ${later}, which was acknowledged before ${value} was sent (${at(first)}; ${at(second)})`);
    }
  });
}

/** Claims of one title, of which one succeeds; each gets a code of its own. */
function checkUnique(seen, report) {
  const holders = new Map();
  const codes = new Map();
  for (const claim of seen.writes) {
    if (claim.type !== 'ok') continue;
    if (holders.has(claim.asked)) report('unique', `${claim.asked} was given twice (${at(holders.get(claim.asked))}; ${at(claim)})`);
    if (codes.has(claim.code)) report('unique', `the uid ${claim.code} was given twice (${at(codes.get(claim.code))}; ${at(claim)})`);
    holders.set(claim.asked, claim);
    codes.set(claim.code, claim);
  }
  for (const title of new Set(seen.writes.map(({ asked }) => asked))) {
    const claims = seen.writes.filter(({ asked }) => asked === title);
    if (claims.every(({ type, status }) => type === 'fail' && status === 400))
      report('unique', `${title} was refused to all, and nobody has it`);
  }
  for (const read of seen.reads) {
    const titles = read.value.map(([title]) => title);
    const shown = reportValues(seen, read, titles, report);
    const shownCodes = read.value.map(([, code]) => code);
    if (new Set(shownCodes).size < shownCodes.length)
      report('unique', `a uid is there twice: ${shownCodes.sort().join(' ')} (${at(read)})`);
    reportMissing(seen, read, ({ asked }) => shown.has(asked), report);
  }
}

/** One target, which the last one that takes it has alone. */
function checkOwner(seen, report) {
  const takes = seen.writes.filter(({ type }) => type !== 'fail');
  for (const read of seen.reads) {
    if (read.value.length > 1) report('owner', `${read.value.join(' and ')} both have it (${at(read)})`);
    const missing = seen.missing(read, ({ asked }) => read.value.includes(asked));
    if (read.value.length === 0 && missing.length > 0)
      report('owner', `nobody has it (${at(read)}), after ${missing[0].asked} took it (${at(missing[0])})`);
    for (const owner of read.value) {
      const own = takes.filter(({ asked, start }) => asked === owner && start < read.end);
      // Each of its own times was certainly over when the read may have happened at the earliest.
      const later = own.map(({ end }) => missing.find((write) => write.start > end));
      if (own.length === 0) report('phantom', `${owner} has it and never took it (${at(read)})`);
      else if (later.every((write) => write !== undefined)) report(isLast(read) ? 'lost' : 'stale', staleText(read, later[0]));
    }
  }
}

/** A register, whose written values are all different: linearizable, where a read may have happened up to `staleness` before it began. All that shows a
 *  value (its write and its reads) is a cluster, and a compare-and-set follows the value that it names at once, so that these clusters form chains.
 *  Chain A precedes B if something that shows A ended before something that shows B began. These are all linearizable unless two precede each other
 *  (Gibbons and Korach, "Testing shared memories"). */
function checkRegister(seen, report) {
  const clusters = clustersOf(seen, report);
  const next = nextOf(seen, clusters, report);
  const chains = chainsOf(clusters, next, report);
  for (const [index, chain] of chains.entries()) {
    chain.forEach((earlier, place) => {
      for (const later of chain.slice(place + 1)) reportBetween(later, earlier, 'a later value was there before', report);
    });
    for (const other of chains.slice(index + 1)) reportBoth(chain, other, report);
  }
  for (const read of seen.reads) {
    for (const { value } of seen.before(read)) {
      const chain = chains.find((each) => each.some((cluster) => cluster.value === value));
      const [shown, known] = [read.value, value].map((each) => chain?.findIndex((cluster) => cluster.value === each) ?? -1);
      if (shown >= 0 && shown < known)
        report('stale', `a read with a position shows ${read.value} (${at(read)}), which is older than ${value}`);
    }
  }
}

/** By value. A write that was not acknowledged and that nobody saw did not happen. */
function clustersOf(seen, report) {
  const clusters = new Map();
  const versions = new Map();
  const add = (value, operation, start) => {
    const cluster = clusters.get(value) ?? { value, operations: [], firstEnd: undefined, lastStart: undefined };
    clusters.set(value, cluster);
    const entry = { operation, start, end: operation.end };
    cluster.operations.push(operation);
    if (cluster.firstEnd === undefined || entry.end < cluster.firstEnd.end) cluster.firstEnd = entry;
    if (cluster.lastStart === undefined || entry.start > cluster.lastStart.start) cluster.lastStart = entry;
    const { version } = operation;
    if (version === undefined || version === null) return;
    const known = versions.get(version) ?? value;
    if (known !== value) report('version', `${known} and ${value} have the same version ${version} (${at(operation)})`);
    if ((cluster.version ?? version) !== version) report('version', `${value} has two versions: it was written twice (${at(operation)})`);
    versions.set(version, known);
    cluster.version = version;
  };
  const byValue = new Map(seen.writes.map((write) => [write.asked, write]));
  for (const write of seen.writes) {
    if (write.type !== 'ok') continue;
    if (write.value !== write.asked) report('lost', `the response to a write of ${write.asked} shows ${write.value} (${at(write)})`);
    add(write.asked, write, write.start);
  }
  for (const read of seen.reads) {
    if (read.value === null) {
      const [write] = seen.missing(read, () => false);
      if (write !== undefined) report(isLast(read) ? 'lost' : 'stale', `the document is missing: ${staleText(read, write)}`);
      continue;
    }
    const write = byValue.get(read.value);
    reportValue(write === undefined ? [] : [write], read.value, read, report);
    if (write?.type === 'info' && !clusters.has(write.asked)) add(write.asked, write, write.start);
    add(read.value, read, seen.earliest(read));
  }
  return clusters;
}

/** The value that a compare-and-set wrote, by the value that it names. */
function nextOf(seen, clusters, report) {
  const next = new Map();
  for (const cas of seen.writes) {
    if (cas.f !== 'cas' || !clusters.has(cas.asked)) continue;
    const other = next.get(cas.from);
    if (other !== undefined) report('lost update', `${other.asked} and ${cas.asked} both replaced ${cas.from} (${at(other)}; ${at(cas)})`);
    next.set(cas.from, cas);
  }
  return next;
}

function chainsOf(clusters, next, report) {
  const isNext = new Set([...next].filter(([from]) => clusters.has(from)).map(([, { asked }]) => asked));
  const chains = [];
  const left = new Set(clusters.keys());
  for (const first of clusters.keys()) {
    if (isNext.has(first)) continue;
    const chain = [];
    for (let value = first; value !== undefined && left.delete(value); value = next.get(value)?.asked) chain.push(clusters.get(value));
    chains.push(chain);
  }
  if (left.size > 0) report('lost update', `values replaced one another in a circle: ${[...left].join(' ')}`);
  return chains;
}

const precedes = (a, b) => a.firstEnd.end < b.lastStart.start;

function reportBetween(a, b, text, report) {
  if (precedes(a, b)) report(kindOf(b), `${text}: ${a.value} (${at(a.firstEnd.operation)}), ${b.value} (${at(b.lastStart.operation)})`);
}

const first = (chain) => chain.reduce((least, each) => (each.firstEnd.end < least.firstEnd.end ? each : least));
const last = (chain) => chain.reduce((most, each) => (each.lastStart.start > most.lastStart.start ? each : most));

/** Two chains that precede each other. */
function reportBoth(a, b, report) {
  if (!precedes(first(a), last(b)) || !precedes(first(b), last(a))) return;
  const shows = (cluster, { operation }) => `${cluster.value} (${at(operation)})`;
  const order = (from, to) => `${shows(first(from), first(from).firstEnd)} before ${shows(last(to), last(to).lastStart)}`;
  const kinds = [last(a), last(b)].map(kindOf);
  report(['lost', 'stale'].find((kind) => kinds.includes(kind)) ?? 'lost update', `${order(a, b)}, and ${order(b, a)}`);
}

/** Which contradiction it is, by the operation that shows the value last. */
const kindOf = ({ lastStart: { operation } }) => (operation.f !== 'read' ? 'lost update' : isLast(operation) ? 'lost' : 'stale');

const checks = { register: checkRegister, set: checkSet, unique: checkUnique, owner: checkOwner, list: checkList, components: checkList };

function figuresOf(operations, lines, oldestAge) {
  const workloads = {};
  for (const { workload, f, type } of operations) {
    workloads[workload] ??= { reads: 0, acknowledged: 0, refused: 0, unknown: 0 };
    const figure = f === 'read' ? 'reads' : { ok: 'acknowledged', fail: 'refused', info: 'unknown' }[type];
    if (f !== 'read' || type === 'ok') workloads[workload][figure]++;
  }
  return {
    workloads,
    operations: operations.length,
    withPosition: operations.filter(({ f, type, position }) => f === 'read' && type === 'ok' && position !== undefined).length,
    kills: lines.filter(({ f }) => f === 'kill').length,
    oldestAge,
  };
}
