/** `lectern compare`: sends the same reads to Lectern and to another server, and prints what differs. */
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
import { runComparison } from '../../compare/run-comparison.ts';
import { asTarget } from '../../compare/target.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject } from '../project/load-project.ts';
import { projectFolderProblem } from '../project/project-folder.ts';
import { stopSignal } from '../stop-signal.ts';
import { showTransferProgress } from '../transfer/transfer-progress.ts';
import { serveForComparison } from './serve-for-comparison.ts';

export interface CompareOptions {
  readonly with: URL;
  readonly url?: URL;
  readonly urls?: string;
  readonly log?: string;
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
  const token = await tokenOf(options);
  const { prefix, model } = await projectOf(options);
  refuseMistaken(options, prefix);
  const signal = stopSignal();
  const served = options.url === undefined ? await serveForComparison(options.dir) : undefined;
  const abort = new AbortController();
  void signal.arrival.then(() => abort.abort());
  const limits = { milliseconds: options.timeout * 1000, bytes: responseBytes };
  const side = (url: URL) => sideAt(url, token, limits, abort.signal);
  const url = options.url ?? new URL(served?.address ?? '');
  const sides = { theirs: side(options.with), ours: side(url) };
  try {
    await refuseSilent('--with', options.with, sides.theirs, prefix);
    await refuseSilent('--url', url, sides.ours, prefix);
    const { requests, source, read } = await requestsOf(options, { prefix, model, ours: sides.ours, isStopped: () => signal.received() });
    if (requests.length === 0) throw new StartError([nothingToCompare(read, { source, prefix, token })]);
    const progress = showTransferProgress(process.stderr);
    progress.step('requests compared', requests.length);
    const { concurrency, rate } = options;
    const onDone = () => progress.advance(1);
    const findings = new Findings(model === undefined ? new Set() : morphsOf(model));
    const gone = await runComparison(requests, sides, { findings, concurrency, rate, signal: abort.signal, onDone });
    progress.stop();
    const stopped = signal.received() ? `at ${findings.compared} of ${requests.length} requests, by a signal` : gone;
    const report: Report = {
      with: options.with.href,
      url: url.href,
      source,
      read,
      hasToken: token !== undefined,
      planned: requests.length,
      findings,
      stopped,
    };
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

interface Sought {
  readonly source: string;
  readonly prefix: string;
  readonly token: string | undefined;
}

/** Without a list or log, reads are made of the content types that the caller may read. */
function nothingToCompare(read: ReadRequests | undefined, { source, prefix, token }: Sought): string {
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

/** Before thousands of requests are refused one by one. */
async function refuseSilent(option: string, url: URL, side: Side, prefix: string): Promise<void> {
  const answer = await side.ask({ method: 'GET', target: asTarget(`${prefix}/`) });
  if (answer.kind === 'failed')
    throw new StartError([`${option}: ${url.href} does not respond (${answer.reason}): ${adviceFor(answer.reason, url.protocol)}`]);
}

/** What to look at, by the code of Node's error. */
function adviceFor(reason: string, protocol: string): string {
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') return 'there is no such host name.';
  if (reason === 'ECONNREFUSED') return 'is the server running, and listening on that port?';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(reason)) return 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file with others.';
  return `is it a server of ${protocol === 'https:' ? 'HTTPS; without TLS, the URL begins with http://' : 'HTTP; with TLS, the URL begins with https://'}?`;
}

/** Paths of requests begin with the prefix, so a URL that ends with it would lead all of them astray. */
function refuseMistaken({ with: other, url }: CompareOptions, prefix: string): void {
  for (const [option, given] of [
    ['--with', other],
    ['--url', url],
  ] as const) {
    const path = given?.pathname.replace(/\/+$/, '') ?? '';
    if (given !== undefined && prefix !== '' && path.endsWith(prefix))
      throw new StartError(
        [`${option} must be where the server is, without ${prefix}: ${given.origin}${path.slice(0, -prefix.length)}`],
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

async function projectOf({ url, dir, urls, log }: CompareOptions): Promise<ComparedProject> {
  const needsProject = url === undefined || (urls === undefined && log === undefined);
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
  readonly ours: Side;
  readonly isStopped: () => boolean;
}

async function requestsOf(options: CompareOptions, { prefix, model, ours, isStopped }: Sources): Promise<Requests> {
  const { urls, log, seed } = options;
  const file = urls ?? log;
  if (file !== undefined) {
    const read = await readRequests(await opened(file), { prefix, sample: options.sample ?? defaultSample, seed, isStopped });
    return { requests: read.requests, source: file === '-' ? 'standard input' : file, read };
  }
  const count = options.generate ?? defaultGenerated;
  const asking = { count, seed, prefix, ask: (request: ReplayedRequest) => ours.ask(request), isStopped };
  const requests = model === undefined ? [] : await generateRequests(model, asking);
  return { requests, source: 'the content types', read: undefined };
}

async function opened(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  const stream = createReadStream(file);
  await new Promise<void>((resolve, reject) => stream.once('open', () => resolve()).once('error', reject)).catch(unreadable(file));
  return stream;
}
