/** `lectern dev`: serves a project, and reloads it when its files change. */
import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { App } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { isConsoleOn } from '../../config/console-pages.ts';
import { mayCreateDatabase } from '../../config/database-file.ts';
import { FrontServer } from '../../development/front-server.ts';
import { ReadableLog } from '../../development/readable-log.ts';
import { RepeatLatest } from '../../development/repeat-latest.ts';
import { watchProject } from '../../development/watch-project.ts';
import { isAway } from '../../dialects/is-away.ts';
import { describeFailure } from '../../errors/describe-failure.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { findDeclaration } from '../../permissions/find-declaration.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { databaseResponds } from '../project/database-responds.ts';
import { checkDatabaseFile, loadProject, type ProjectOptions } from '../project/load-project.ts';
import { projectFolderProblem } from '../project/project-folder.ts';
import { stopSignal } from '../stop-signal.ts';
import { MigrationQuestions, migrate } from './migration-questions.ts';

/** Milliseconds that a former app has for its responses while nothing is served yet. */
const defaultPatience = 8000;
/** Milliseconds that quick requests get to end before an app is loaded beside them. */
const shortPatience = 250;
/** Milliseconds between two looks at a database that is away, or that another process has to
 *  migrate. */
const lookEvery = 1000;
/** The process ends at most this many milliseconds after the server. */
const lastWait = 1000;

interface DevOptions extends ProjectOptions {
  /** A file for the types of the project, relative to the current folder. */
  readonly types?: string;
}

export async function dev(options: DevOptions): Promise<number> {
  const problem = projectFolderProblem(options.dir);
  if (problem !== undefined) throw new StartError([problem]);
  const signal = stopSignal();
  const session = new Session(options);
  const stopped = Promise.race([signal.arrival, session.ended]);
  const written = options.types === undefined ? undefined : relative(resolve(options.dir), resolve(options.types)).replaceAll(sep, '/');
  const watch = watchProject(options.dir, (paths) => {
    const changed = paths.filter((path) => path !== written);
    if (changed.length > 0) void session.reload(changed);
  });
  try {
    await watch.ready;
    void session.reload([]);
    await stopped;
  } finally {
    const late = setTimeout(() => process.exit(session.exitCode), session.patience);
    await watch.close();
    await session.close();
    clearTimeout(late);
  }
  setTimeout(() => process.exit(), lastWait).unref();
  return session.exitCode;
}

interface Loaded {
  readonly config: Config;
  readonly model: ContentModel;
}

/** The server and its reloads. */
class Session {
  readonly #options: DevOptions;
  readonly #log = new ReadableLog();
  readonly #front = new FrontServer();
  readonly #questions = new MigrationQuestions();
  readonly #reloads = new RepeatLatest((cancelled) => this.#attempt(cancelled));
  #end: () => void = () => undefined;
  /** Resolves when the session cannot go on, or a question was answered by Ctrl-C. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });
  exitCode: number = exitCodes.done;
  /** The configuration that is served; undefined before the first start. */
  #served: Config | undefined;
  /** What the last attempt has loaded of the project; undefined if it failed before. */
  #loaded: Loaded | undefined;
  /** What hooks and endpoints defined when they were loaded the last time. */
  #code: App['code'];
  #isClosed = false;
  #nextLook: NodeJS.Timeout | undefined;
  /** Apps that were replaced and still respond to requests. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: DevOptions) {
    this.#options = options;
  }

  get patience(): number {
    return this.#served?.shutdownTime ?? defaultPatience;
  }

  reload(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) this.#log.print(`Changed: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''}\n`);
    return this.#reloads.request();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextLook);
    await this.#reloads.stop();
    await this.#front.close();
    await Promise.all(this.#closing);
  }

  async #attempt(cancelled: AbortSignal): Promise<void> {
    const isFirst = this.#served === undefined;
    clearTimeout(this.#nextLook);
    this.#loaded = undefined;
    try {
      await this.#load(cancelled);
    } catch (error) {
      const port = isListenError(error);
      const failure = describeFailure(error, isFirst && !port ? 'Not started' : isFirst ? undefined : 'Not reloaded');
      this.#log.print(`${failure.text}\n`);
      if (port) {
        this.exitCode = failure.exitCode;
        this.#end();
      } else {
        const isWaiting = this.#loaded !== undefined && isAway(error);
        const until = isWaiting ? 'the database responds' : 'a file is corrected';
        this.#log.print(isFirst ? `Nothing is served until ${until}.\n` : 'What was served before is still served.\n');
        if (isWaiting) this.#log.print('Waiting for the database; it is asked every second.\n');
        if (this.#loaded !== undefined) await this.#afterFailure(this.#loaded, isWaiting);
      }
    } finally {
      this.#front.resume();
    }
  }

  async #afterFailure(loaded: Loaded, isAwayNow: boolean): Promise<void> {
    await this.#writeTypes(loaded.config, loaded.model);
    await this.#waitForDatabase(loaded, isAwayNow);
  }

  /** Reloads when the database responds again or, if it did, when it matches the schema files:
   *  Strapi or `lectern migrate apply` may change it without changing any file. `changedTypes` are
   *  what the app serves as its columns are; undefined if there is no app. */
  async #waitForDatabase(loaded: Loaded, isAwayNow: boolean, changedTypes?: App['changedTypes']): Promise<void> {
    const isDone = isAwayNow
      ? () => databaseResponds(loaded.config)
      : // If the database cannot be read now, the next look reads it.
        () =>
          this.#questions.isPending(loaded, changedTypes).then(
            (isPending) => !isPending,
            () => false,
          );
    if (!isAwayNow && (await isDone())) return;
    const look = async () => {
      const isOver = await isDone();
      // Meanwhile a file may have changed.
      if (this.#isClosed || this.#loaded !== loaded) return;
      if (isOver) await this.reload(['the database']);
      else wait();
    };
    const wait = () => {
      this.#nextLook = setTimeout(() => void look(), lookEvery);
    };
    if (!this.#isClosed) wait();
  }

  async #load(cancelled: AbortSignal): Promise<void> {
    const started = performance.now();
    const { config, warnings } = loadProject(this.#options);
    checkDatabaseFile(config, mayCreateDatabase(config));
    for (const warning of warnings) this.#log.print(`Warning: ${warning}\n`);
    const model = await loadProjectModel(config);
    // A mistake in the rights is told alone, not after a migration that is not carried out.
    findDeclaration(config.dir, model);
    const loaded = { config, model };
    this.#loaded = loaded;
    const isThere = config.database.client !== 'sqlite' || existsSync(config.database.filename);
    const command = lecternCommand('migrate apply', this.#options.dir);
    const choices = isThere ? await this.#questions.decide({ config, model, log: this.#log, cancelled, command }) : undefined;
    if (cancelled.aborted) return;
    if (choices === 'cancelled') {
      this.exitCode = exitCodes.interrupted;
      this.#end();
      return;
    }
    // Requests wait for the next app: loading it blocks this thread, and the former app cannot read
    // renamed tables.
    await this.#front.pause(choices === undefined ? shortPatience : this.patience);
    if (choices !== undefined) await migrate(config, model, choices);
    const { createApp } = await import('../../app.ts');
    const app = await createApp(config, { log: this.#log, purpose: 'development' });
    const closing: Promise<void> = this.#front
      .replace(app)
      .catch((error: unknown) => this.#log.print(`${describeFailure(error, 'The former server was not closed').text}\n`))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    this.#code = app.code;
    await this.#writeTypes(config, app.model);
    await this.#announce(config, performance.now() - started);
    if (app.changedTypes.length > 0) await this.#waitForDatabase(loaded, false, app.changedTypes);
  }

  /** A file that cannot be written does not stop the server. */
  async #writeTypes(config: Config, model: ContentModel): Promise<void> {
    const { types } = this.#options;
    if (types === undefined) return;
    try {
      const [{ projectTypes }, { writeTypes }] = await Promise.all([
        import('./types-command.ts'),
        import('../../typescript/write-types.ts'),
      ]);
      if (await writeTypes(types, projectTypes(config, model, this.#code))) this.#log.print(`Wrote ${types}.\n`);
    } catch (error) {
      this.#log.print(`${describeFailure(error, 'The types were not written').text}\n`);
    }
  }

  async #announce(config: Config, milliseconds: number): Promise<void> {
    const former = this.#served;
    if (former === undefined) {
      const url = await this.#front.listen(config.host, config.port);
      process.stdout.write(
        `Lectern listens on ${url} (profile ${config.profile}), and reloads when a file of the project changes. Ctrl-C stops it.\n` +
          (isConsoleOn(config) ? `Editors write at ${url}/console (docs/console.md of Lectern).\n` : ''),
      );
    } else {
      this.#log.print(`Reloaded in ${Math.round(milliseconds)} ms.\n`);
      if (former.port !== config.port || former.host !== config.host)
        this.#log.print('Another host or port counts after the next start of `lectern dev`.\n');
    }
    // The address stays what it was at the start.
    this.#served = former === undefined ? config : { ...config, host: former.host, port: former.port };
  }
}

const isListenError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'listen';
