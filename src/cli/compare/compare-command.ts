/** `lectern compare`: sends the same requests to two servers, and prints what differs. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Side, sideAt } from '../../compare/ask.ts';
import { Findings } from '../../compare/findings.ts';
import { generateRequests } from '../../compare/generate-requests.ts';
import { morphsOf } from '../../compare/known-differences.ts';
import { type ReadRequests, type ReplayedRequest, readRequests } from '../../compare/read-requests.ts';
import { describeReport, type Report, reportAsJson } from '../../compare/report.ts';
import type { Chosen } from '../../compare/request-sample.ts';
import { runComparison, type Sides } from '../../compare/run-comparison.ts';
import { asTarget } from '../../compare/target.ts';
import { type Begin, Counterparts } from '../../compare/writes/counterparts.ts';
import { readWrites, type WriteLine } from '../../compare/writes/read-writes.ts';
import { runWrites } from '../../compare/writes/run-writes.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject } from '../project/load-project.ts';
import { projectFolderProblem } from '../project/project-folder.ts';
import { showProgress } from '../show-progress.ts';
import { stopSignal } from '../stop-signal.ts';
import { serveForComparison } from './serve-for-comparison.ts';

interface CompareOptions {
  readonly with: URL;
  readonly url?: URL;
  readonly urls?: string;
  readonly log?: string;
  readonly writes?: string;
  readonly bothAreCopies?: true;
  readonly generate?: number;
  readonly sample?: number;
  readonly seed: number;
  readonly rate: number;
  readonly concurrency: number;
  readonly timeout: number;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly json?: true;
  readonly dir: string;
}

const defaultSample = 5000;
const defaultGenerated = 200;
const responseBytes = 32 * 1024 * 1024;

export async function compare(options: CompareOptions): Promise<number> {
  refuseUnconfirmed(options);
  const token = await tokenOf(options);
  const { prefix, model } = await projectOf(options);
  refuseMistaken(options, prefix);
  const { writes } = options;
  const lines = writes === undefined ? undefined : await readWrites(await openFile(writes), nameOf(writes), prefix);
  const signal = stopSignal();
  const served = options.url === undefined ? await serveForComparison(options.dir) : undefined;
  const limits = { milliseconds: options.timeout * 1000, bytes: responseBytes };
  const side = (url: URL) => sideAt(url, token, limits, signal.abort);
  const url = options.url ?? new URL(served?.address ?? '');
  const sides = { theirs: side(options.with), ours: side(url) };
  try {
    const begin = {
      theirs: await refuseSilent('--with', options.with, sides.theirs, prefix),
      ours: await refuseSilent('--url', url, sides.ours, prefix),
    };
    const morphs = model === undefined ? new Set<string>() : morphsOf(model);
    const running: Running = { sides, prefix, morphs, signal: signal.abort };
    const isStopped = () => signal.received();
    const done =
      lines === undefined
        ? await compareReads(options, running, { prefix, model, ours: sides.ours, isStopped, token })
        : await compareWrites(options, running, lines, begin);
    const { findings, planned, gone } = done;
    const stopped = signal.received() ? `at ${findings.compared} of ${planned} requests, by a signal` : gone;
    const report: Report = { ...done, with: options.with.href, url: url.href, hasToken: token !== undefined, stopped };
    process.stdout.write(options.json === true ? reportAsJson(report) : describeReport(report));
    if (signal.received()) return exitCodes.interrupted;
    // What was not compared may differ.
    const isEqual = findings.different === 0 && gone === undefined && findings.uncompared().length === 0;
    return isEqual ? exitCodes.done : exitCodes.failed;
  } finally {
    sides.theirs.close();
    sides.ours.close();
    await served?.close();
  }
}

interface Running {
  readonly sides: Sides;
  readonly prefix: string;
  readonly morphs: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** `gone`: why some requests were not compared; undefined if all were. */
type Done = Pick<Report, 'source' | 'read' | 'hasWrites' | 'planned' | 'findings'> & { readonly gone: string | undefined };

async function compareReads(options: CompareOptions, running: Running, sources: Sources): Promise<Done> {
  const found = await requestsOf(options, sources);
  const { requests, source, read } = found;
  if (requests.length === 0) throw new StartError([nothingToCompare(found, sources)]);
  const findings = new Findings(running.morphs);
  const { concurrency, rate } = options;
  const gone = await withProgress(requests.length, (onDone) =>
    runComparison(requests, running.sides, { findings, concurrency, rate, signal: running.signal, onDone }),
  );
  return { source, read, hasWrites: false, planned: requests.length, findings, gone };
}

async function compareWrites(
  { writes = '-', rate }: CompareOptions,
  { sides, prefix, morphs, signal }: Running,
  lines: readonly WriteLine[],
  begin: Begin,
): Promise<Done> {
  const counterparts = new Counterparts(begin);
  for (const { text } of lines) counterparts.share(text);
  const findings = new Findings(morphs, counterparts.translate);
  const gone = await withProgress(lines.length, (onDone) => runWrites(lines, sides, { findings, prefix, rate, signal, onDone }));
  return { source: nameOf(writes), read: undefined, hasWrites: true, planned: lines.length, findings, gone };
}

async function withProgress<Result>(requests: number, run: (onDone: () => void) => Promise<Result>): Promise<Result> {
  const progress = showProgress();
  progress.step('requests compared', requests);
  const result = await run(() => progress.advance(1));
  progress.stop();
  return result;
}

/** Writes change the data of both servers, so they are sent only to copies. */
function refuseUnconfirmed({ writes, bothAreCopies, with: other, url }: CompareOptions): void {
  if (writes === undefined) return;
  if (url === undefined) throw new StartError(['--writes needs --url: a running Lectern on a copy of the database.'], exitCodes.usage);
  if (bothAreCopies === true) return;
  throw new StartError(
    [
      `--writes sends every request of ${nameOf(writes)} to ${other.href} and to ${url.href}, and changes the content, the users and the files of both. Run both servers on copies of one database, and confirm this with --both-are-copies.`,
    ],
    exitCodes.usage,
  );
}

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

/** Without a list or log, reads are made of the content types that the caller may read. */
function nothingToCompare({ source, read }: Requests, { prefix, token }: Sources): string {
  if (read !== undefined) return `There is nothing to compare: ${source} has no GET request for ${prefix || '/'} or /uploads.`;
  return token === undefined
    ? 'There is nothing to compare: callers without a token may read no content type. Set --token-file or LECTERN_COMPARE_TOKEN.'
    : 'There is nothing to compare: Lectern lets this token read no content type. Has it expired, or was it issued elsewhere?';
}

/** A header cannot hold everything. The token is not repeated in the message. */
const tokenCharacters = /^[\x21-\x7e]{1,8192}$/;

async function tokenOf({ token, tokenFile }: CompareOptions): Promise<string | undefined> {
  const text =
    tokenFile === undefined ? (token ?? process.env.LECTERN_COMPARE_TOKEN) : await readFile(tokenFile, 'utf8').catch(unreadable(tokenFile));
  const found = text?.trim();
  if (found === undefined || found === '') {
    if (token === undefined && tokenFile === undefined) return undefined;
    throw new StartError(['The token is empty.'], exitCodes.usage);
  }
  if (!tokenCharacters.test(found)) throw new StartError(['The token has a character that tokens cannot have.'], exitCodes.usage);
  return found;
}

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new StartError([error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.code ?? error.message}`]);
};

/** Refuses a server that does not respond, before thousands of requests fail. Returns the server's
 *  time in milliseconds since 1970. */
async function refuseSilent(option: string, url: URL, side: Side, prefix: string): Promise<number> {
  const answer = await side.ask({ method: 'GET', target: asTarget(`${prefix}/`) });
  if (answer.kind === 'failed')
    throw new StartError([`${option}: ${url.href} does not respond (${answer.reason}): ${adviceFor(answer.reason, url.protocol)}`]);
  const time = Date.parse(answer.headers.date ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}

/** What to look at, by the code of Node's error. */
function adviceFor(reason: string, protocol: string): string {
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') return 'there is no such host name.';
  if (reason === 'ECONNREFUSED') return 'is the server running, and listening on that port?';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(reason)) return 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file with others.';
  return `is it a server of ${protocol === 'https:' ? 'HTTPS; without TLS, the URL begins with http://' : 'HTTP; with TLS, the URL begins with https://'}?`;
}

/** Paths of requests begin with the prefix: a URL that ends with it would make all wrong. */
function refuseMistaken({ with: other, url }: CompareOptions, prefix: string): void {
  for (const [option, server] of [
    ['--with', other],
    ['--url', url],
  ] as const) {
    const path = server?.pathname.replace(/\/+$/, '') ?? '';
    if (server !== undefined && prefix !== '' && path.endsWith(prefix))
      throw new StartError(
        [`${option} must be where the server is, without ${prefix}: ${server.origin}${path.slice(0, -prefix.length)}`],
        exitCodes.usage,
      );
  }
  if (url !== undefined && url.href === other.href)
    throw new StartError(['--with and --url name the same server: leave --url out, or let it name a running Lectern'], exitCodes.usage);
}

interface ComparedProject {
  /** Where the API is, on both servers. */
  readonly prefix: string;
  /** Undefined where the content types are not here, but with a server elsewhere. */
  readonly model: ContentModel | undefined;
}

async function projectOf({ url, dir, urls, log, writes }: CompareOptions): Promise<ComparedProject> {
  const needsProject = url === undefined || (urls === undefined && log === undefined && writes === undefined);
  if (!needsProject && projectFolderProblem(dir) !== undefined) return { prefix: '/api', model: undefined };
  const { config } = loadProject({ dir });
  return { prefix: config.api.prefix, model: await loadProjectModel(config) };
}

interface Requests {
  readonly requests: readonly Chosen<ReplayedRequest>[];
  /** For people. */
  readonly source: string;
  readonly read: ReadRequests | undefined;
}

interface Sources extends ComparedProject {
  readonly token: string | undefined;
  readonly ours: Side;
  readonly isStopped: () => boolean;
}

async function requestsOf(options: CompareOptions, { prefix, model, ours, isStopped }: Sources): Promise<Requests> {
  const { urls, log, seed } = options;
  const file = urls ?? log;
  if (file !== undefined) {
    const read = await readRequests(await openFile(file), { prefix, sample: options.sample ?? defaultSample, seed, isStopped });
    return { requests: read.requests, source: nameOf(file), read };
  }
  const count = options.generate ?? defaultGenerated;
  const asking = { count, seed, prefix, ask: (request: ReplayedRequest) => ours.ask(request), isStopped };
  const requests = model === undefined ? [] : await generateRequests(model, asking);
  return { requests, source: 'the content types', read: undefined };
}

async function openFile(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  const stream = createReadStream(file);
  await new Promise<void>((resolve, reject) => stream.once('open', () => resolve()).once('error', reject)).catch(unreadable(file));
  return stream;
}
