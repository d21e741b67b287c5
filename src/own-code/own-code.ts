/** The hooks and endpoints of a project, each kind in a thread of its own: a hook that loops does
 *  not stop endpoints, nor an endpoint hooks. */
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '../config/environment.ts';
import { StartError } from '../errors/start-error.ts';
import type { ContentModel } from '../model/content-model.ts';
import { codeFilesOf } from './code-files.ts';
import { manifestProblems } from './manifest-problems.ts';
import type { CodeSetup, HookManifest, LogLevel, Manifest } from './protocol.ts';
import { CodeFailure, type ThreadLog, ThreadOfCode } from './thread-of-code.ts';

/** The log for what code logs. */
export interface CodeLog {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface OwnCode {
  readonly manifest: Manifest;
  readonly before: ThreadOfCode;
  readonly committed: ThreadOfCode;
  readonly endpoints: ThreadOfCode;
  close(): Promise<void>;
}

/** Milliseconds after which a thread that does not respond is ended: writes wait for hooks, and
 *  endpoints may compute for a while. */
const blockedAfter = { hooks: 1000, others: 5000 };

/** Loads the code; undefined if the project has none. Throws a `StartError` with all mistakes. */
export async function openOwnCode(dir: string, model: ContentModel, log: CodeLog): Promise<OwnCode | undefined> {
  const files = codeFilesOf(dir);
  if (files.length === 0) return undefined;
  const logs: ThreadLog = (level, { file, message, details }) =>
    log[level]({ ...(file === '' ? {} : { file }), ...(details === undefined ? {} : { details: parsed(level, details) }) }, message);
  const module = fileURLToPath(new URL('./define.js', import.meta.url));
  const setup = { dir, module, files };
  // `process.env` has the variables of `.env`, as in Strapi.
  const env = { ...process.env, ...Object.fromEntries([...readEnvironment(dir, process.env)].map(([name, { text }]) => [name, text])) };
  const hooks = { ...setup, files: files.filter(({ kind }) => kind === 'hooks') };
  const endpoints = { ...setup, files: files.filter(({ kind }) => kind === 'endpoints') };
  const threadOf = (of: CodeSetup, blocked: number) => new ThreadOfCode({ setup: of, env, blockedAfter: blocked }, logs);
  const threads = {
    before: threadOf(hooks, blockedAfter.hooks),
    committed: threadOf(hooks, blockedAfter.others),
    endpoints: threadOf(endpoints, blockedAfter.others),
  };
  const close = async () => {
    await Promise.all(Object.values(threads).map((thread) => thread.close()));
  };
  try {
    const none = { manifest: { hooks: [], endpoints: [] }, problems: [] };
    const [ofHooks, ofEndpoints] = await Promise.all([
      hooks.files.length === 0 ? none : threads.before.load(),
      endpoints.files.length === 0 ? none : threads.endpoints.load(),
    ]);
    const manifest = { hooks: ofHooks.manifest.hooks, endpoints: ofEndpoints.manifest.endpoints };
    const problems = [...ofHooks.problems, ...ofEndpoints.problems, ...manifestProblems(manifest, model)];
    if (problems.length > 0) throw new StartError(problems);
    return { manifest, ...threads, close };
  } catch (error) {
    await close();
    throw error instanceof CodeFailure ? new StartError([`the code in lectern/ cannot be loaded: ${error.message}`]) : error;
  }
}

/** What the code defines, for commands that run none of it. Throws as `openOwnCode` does. */
export async function readManifest(dir: string, model: ContentModel, log: CodeLog): Promise<Manifest> {
  const code = await openOwnCode(dir, model, log);
  await code?.close();
  return code?.manifest ?? { hooks: [], endpoints: [] };
}

const parsed = (level: LogLevel, details: string): unknown => {
  if (!details.startsWith('{') || level === 'error') return details;
  try {
    return JSON.parse(details);
  } catch {
    return details;
  }
};

/** Milliseconds. */
export const timeLimits = { before: 1000, committed: 30_000, endpoint: 30_000 } as const;

export const hooksOf = ({ manifest }: OwnCode, uid: string): readonly HookManifest[] => manifest.hooks.filter((each) => each.uid === uid);

export type { HookManifest };
