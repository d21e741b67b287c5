/** What a server tells of its requests: metrics, spans and the log of slow requests, all on in one server. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isHit } from '../support/cached-response.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { metricsUrlOf, scrape } from '../support/scrape.ts';
import { sendFiles } from '../support/send-files.ts';
import { useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';

const sdk = pathToFileURL(fileURLToPath(new URL('../support/tracing-sdk.mjs', import.meta.url))).href;
const find = ['api::note.note.find', 'api::note.note.findOne'];
const secret = 'Sourdough4711';
const list = { method: 'GET', route: '/api/notes', status: '2xx' };

interface SpanLine {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number };
  readonly traceId: string;
  readonly spanId: string;
  readonly parent?: string;
  readonly pid: number;
}

describe.each(engines)('%s', (engine) => {
  const spansFile = join(tmpdir(), `lectern-spans-${process.pid}-${engine}.jsonl`);
  writeFileSync(spansFile, '');
  const served = useProject(engine, {
    ownProcess: true,
    files: schemaFiles({ note: { attributes: { title: { type: 'string' }, text: { type: 'text' } } } }),
    public: find,
    tokens: { reader: find },
    env: {
      // These report no version of their data, so they cache responses only for a time.
      ...(speaksMysql(engine) ? { LECTERN_CACHE_CONSISTENCY: '60000' } : {}),
      LECTERN_METRICS_PORT: '0',
      LECTERN_LOG_SLOW: '1',
      LECTERN_LOG_SLOW_PLANS: 'true',
      LECTERN_LOG_LEVEL: 'info',
      LECTERN_TRACING: 'true',
      NODE_OPTIONS: `--import ${sdk}`,
      SPANS_FILE: spansFile,
    },
  });
  const metrics = () => scrape(metricsUrlOf(served.server));
  const requests = 'lectern_http_request_duration_seconds_count';
  const jsonLines = (text: string) => text.split('\n').filter((line) => line.startsWith('{'));
  const logLines = () => jsonLines(served.server.output.stderr).map((line): Record<string, unknown> => JSON.parse(line));
  const spans = () => jsonLines(readFileSync(spansFile, 'utf8')).map((line): SpanLine => JSON.parse(line));

  it('a taken port of metrics prevents the start', async () => {
    const { port } = new URL(metricsUrlOf(served.server));
    const env = { ...served.environment, NODE_OPTIONS: '', LECTERN_TRACING: 'false', LECTERN_METRICS_PORT: port };
    const { status, stderr } = await run(['start', '--dir', served.project.dir, '--port', '0'], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 is in use by another process`)]);
  });

  it('counts requests by route, status and cache, and the work behind them', async () => {
    await served.write('POST', '/api/notes', { title: secret });
    const before = await metrics();
    const query = `?filters[title][$eq]=${secret}`;
    // On PostgreSQL any transaction of the server empties the cache, also those of other test files.
    let hits = 0;
    let misses = 0;
    while (hits < 5 && misses < 500) {
      const response = await served.server.get(`/api/notes${query}`);
      expect(response.status).toBe(200);
      if (isHit(response)) hits++;
      else misses++;
    }
    expect(hits).toBe(5);
    for (const path of ['/api/other', `/made-up/${secret}`, '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', '/api/notes?filters[title][$no]=x'])
      expect((await served.server.get(path)).status).toBeGreaterThanOrEqual(400);
    expect((await served.ask('public', 'PROPFIND', '/api/notes')).status).toBe(501);
    const after = await metrics();
    const moved = (name: string, labels: Readonly<Record<string, string>>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);

    expect(moved(requests, list)).toBe(hits + misses);
    expect(moved(requests, { ...list, cache: 'miss' })).toBe(misses);
    expect(moved(requests, { ...list, cache: 'hit' })).toBe(hits);
    expect(moved('lectern_cache_hits_total', { name: 'responses' })).toBe(hits);
    // Transactions of other test files may empty this cache at any time.
    const held = async () => {
      await served.server.get(`/api/notes${query}`);
      return (await metrics()).value('lectern_cache_bytes', { name: 'responses' });
    };
    await expect.poll(held).toBeGreaterThan(500);
    expect(moved(requests, { method: 'GET', route: 'unknown', status: '4xx' })).toBe(2);
    expect(moved(requests, { method: 'GET', route: '/api/notes/:documentId', status: '4xx' })).toBe(1);
    expect(moved(requests, { ...list, status: '4xx' })).toBe(1);
    // A caller's mistake must not look like one of the server.
    expect(moved(requests, { method: 'other', route: 'unknown', status: '4xx' })).toBe(1);
    expect(moved(requests, { status: '5xx' })).toBe(0);
    for (const stage of ['identify', 'parse', 'authorise', 'plan', 'compile', 'wait', 'execute', 'render'])
      expect(moved('lectern_stage_duration_seconds_count', { stage }), stage).toBeGreaterThan(0);
    expect(moved('lectern_route_statements_total', { method: 'GET', route: '/api/notes' })).toBeGreaterThan(0);
    expect(moved('lectern_statement_duration_seconds_count', {})).toBeGreaterThan(0);
    expect(after.value('lectern_http_request_duration_seconds_count', { method: 'POST', route: '/api/notes', status: '2xx' })).toBe(1);
    expect(after.value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(after.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(after.value('lectern_build_info')).toBe(1);
    expect(after.value('lectern_child_processes', { kind: 'image' })).toBe(0);
    if (engine !== 'sqlite') {
      expect(after.value('lectern_database_connections', { state: 'open' })).toBeGreaterThan(0);
      expect(after.value('lectern_database_connections', { state: 'max' })).toBe(10);
    }
    expect(after.text).not.toContain(secret);
  });

  it('has every metric that the board of deploy/ shows', async () => {
    const board = readFileSync(new URL('../../deploy/grafana-board.json', import.meta.url), 'utf8');
    const expressions = [...board.matchAll(/"expr": "(.*)"/g)].map(([, expression = '']) => expression);
    expect(expressions.length).toBeGreaterThan(20);
    expect(JSON.parse(board)).toMatchObject({ title: 'Lectern' });
    const shown = new Set(board.match(/\b(?:lectern|process|nodejs)_[a-z0-9_]+/g));
    const { names } = await metrics();
    expect([...shown].filter((name) => !names.has(name))).toEqual([]);
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const own = [...names].map((name) => name.replace(/_(?:bucket|sum|count)$/, '')).filter((name) => name.startsWith('lectern_'));
    expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('counts uploads', async () => {
    const before = await metrics();
    expect((await sendFiles(served, [{ name: 'a.txt', type: 'text/plain', bytes: 'x'.repeat(5000) }])).status).toBe(201);
    const after = await metrics();
    for (const [name, value] of [
      ['lectern_uploaded_files_total', 1],
      ['lectern_uploaded_bytes_total', 5000],
    ] as const)
      expect((after.value(name) ?? 0) - (before.value(name) ?? 0)).toBe(value);
  });

  it('gives the metrics a port of their own, and nothing else on it', async () => {
    const url = metricsUrlOf(served.server);
    expect((await fetch(url.replace('/metrics', '/api/notes'))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await served.server.get('/metrics')).status).toBe(404);
  });

  it('continues a trace with the stages and statements of a request', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${trace}-b7ad6b7169203331-01`;
    const path = `/api/notes?filters[title][$contains]=${secret}&fields=title`;
    expect((await served.server.get(path, { traceparent, 'x-request-id': 'traced-1' })).status).toBe(200);
    // The span of the request ends last, so it is the last one written.
    await expect.poll(() => spans().some(({ traceId, kind }) => traceId === trace && kind === 1)).toBe(true);
    const found = spans().filter(({ traceId }) => traceId === trace);
    const server = found.find(({ kind }) => kind === 1);
    expect(server).toMatchObject({
      name: 'GET /api/notes',
      parent: 'b7ad6b7169203331',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/notes',
        'http.response.status_code': 200,
        'url.path': '/api/notes',
        'lectern.caller': 'public',
        'lectern.cache': 'miss',
      },
    });
    const stages = found.filter(({ parent }) => parent === server?.spanId).map(({ name }) => name);
    expect(stages).toEqual(['identify', 'parse', 'authorise', 'plan', 'compile', 'wait', 'execute', 'render']);
    const execute = found.find(({ name }) => name === 'execute');
    const statements = found.filter(({ parent }) => parent === execute?.spanId);
    // Those of a reading thread are in its span.
    if (engine === 'sqlite') expect(statements).toEqual([]);
    else
      expect(statements[0]?.attributes).toMatchObject({
        'db.system.name': engine === 'postgres' ? 'postgresql' : engine,
        'db.query.text': expect.stringContaining('notes'),
      });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(new Set(spans().map(({ pid }) => pid))).toEqual(new Set([served.server.pid]));
    await expect
      .poll(() => logLines().find((line) => line.requestId === 'traced-1' && line.msg === 'answered'))
      .toMatchObject({ traceId: trace });
  });

  it('marks the span of a response from the cache', async () => {
    let traceparent = '';
    for (let round = 0; round < 500; round++) {
      traceparent = `00-1af7651916cd43dd8448eb211c8${String(round).padStart(5, '0')}-b7ad6b7169203331-01`;
      if (isHit(await served.server.get('/api/notes?sort=title', { traceparent }))) break;
    }
    await expect
      .poll(() => spans().find(({ traceId, kind }) => kind === 1 && traceId === traceparent.slice(3, 35)))
      .toMatchObject({
        name: 'GET /api/notes',
        attributes: { 'http.route': '/api/notes', 'lectern.cache': 'hit' },
      });
  });

  it('logs slow requests with their shape, stages, statements and plans, without values', async () => {
    const path = `/api/notes?filters[$or][0][title][$eq]=${secret}&filters[$or][1][text][$contains]=${secret}&${secret}%20x&populate=*`;
    await served.send('reader', { path, headers: { 'x-request-id': 'slow-1' } });
    const ok = path.replace(`&${secret}%20x`, '');
    expect((await served.send('reader', { path: ok, headers: { 'x-request-id': 'slow-2' } })).status).toBe(200);
    const slow = () => logLines().find((line) => line.requestId === 'slow-2' && line.msg === 'slow request');
    await expect.poll(slow).toMatchObject({
      level: 40,
      method: 'GET',
      route: '/api/notes',
      parameters: ['filters[$or][0][title][$eq]', 'filters[$or][1][text][$contains]', 'populate'],
      status: 200,
      caller: 'token',
      cache: 'miss',
      stages: { identify: expect.any(Number), execute: expect.any(Number) },
    });
    const line = slow();
    expect(line?.statements).toBeGreaterThan(0);
    expect(JSON.stringify(line?.slowestStatements)).toMatch(/SELECT.*notes/);
    expect(JSON.stringify(line?.plans)).toMatch(/Scan|SCAN| ALL /);
    const written = served.server.output.stderr.split('\n').filter((each) => each.includes('slow request'));
    expect(written.join('\n')).not.toContain(secret);
    expect(written.some((each) => each.includes('slow-1') && each.includes('…'))).toBe(true);
    rmSync(spansFile, { force: true });
  });
});
