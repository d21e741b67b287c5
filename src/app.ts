/** The composition root: config → model → database → pipeline → http. */

import { mkdirSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { dirname } from 'node:path';
import { checkSettings } from './accounts/check-settings.ts';
import { createMailer } from './accounts/mailer.ts';
import { answerCode, type CodeRun } from './answer-code.ts';
import { createBeforeWrite } from './before-write.ts';
import type { Config } from './config/config.ts';
import { mayCreateDatabase } from './config/database-file.ts';
import { projectName } from './config/project-name.ts';
import { configuredSettings } from './config/stored-settings.ts';
import { withCurrentReads } from './dialects/current-reads.ts';
import type { AskVersion, Database, OpenOptions } from './dialects/database.ts';
import { embeddedFile, missingFile } from './dialects/embedded-file.ts';
import { openDatabase, openReplicas } from './dialects/open-database.ts';
import { describeProblem, type Replica } from './dialects/replicas.ts';
import { StartError } from './errors/start-error.ts';
import { keepsEvents } from './events/event-store.ts';
import type { WebhookDispatcher } from './events/webhooks/dispatcher.ts';
import { createHttp } from './http/create-http.ts';
import { createServer, type LogStream } from './http/create-server.ts';
import { closeServer, drain, endConnections } from './http/drain.ts';
import { describeProjectRoutes } from './http/routes/describe-project-routes.ts';
import { loadProjectRoutes } from './http/routes/load-project-routes.ts';
import { Readiness } from './http/site/readiness.ts';
import { rightsNamed } from './identity/rights-named.ts';
import { describeMissingIndexes } from './indexes/proposals.ts';
import { ShapeRecord } from './indexes/shape-record.ts';
import { createLocales } from './locales/locales.ts';
import { openImages } from './media/images/image-processes.ts';
import { createMediaFolders } from './media/library/media-folders.ts';
import { createMediaLibrary } from './media/library/media-library.ts';
import { sweepTemporaryFolders, temporaryDirsOf } from './media/library/temporary-folder.ts';
import { openStorage } from './media/storage/open-storage.ts';
import type { Storage } from './media/storage/storage.ts';
import { urlSigning } from './media/storage/url-signer.ts';
import { type ChangedType, withColumnTypes } from './migrations/changed-types.ts';
import { offeredNames, prepareDatabase } from './migrations/prepare-database.ts';
import { userUid } from './model/built-in-types.ts';
import type { ContentModel } from './model/content-model.ts';
import { describeModelWarnings, loadProjectModel } from './model/load/load-project-model.ts';
import { unknownNames } from './model/unknown-names.ts';
import { Figures } from './observe/figures.ts';
import { openMetrics, openObservation } from './observe/open-observation.ts';
import { timedDatabase } from './observe/request-record.ts';
import { openIdentity } from './open-identity.ts';
import { openPruning } from './open-pruning.ts';
import { openScheduler } from './open-scheduler.ts';
import { openWebhooks } from './open-webhooks.ts';
import { type OwnCode, openOwnCode } from './own-code/own-code.ts';
import type { Ask, Manifest } from './own-code/protocol.ts';
import { findDeclaration } from './permissions/find-declaration.ts';
import { settlePermissions } from './permissions/settle-permissions.ts';
import { createAnswerRead } from './pipeline/answer-read.ts';
import { withSourceMaps } from './pipeline/answer-with-source-maps.ts';
import { createAnswerWrite } from './pipeline/answer-write.ts';
import { createAnswerBatch } from './pipeline/batch/answer-batch.ts';
import { apiErrorOf } from './pipeline/execute/database-errors.ts';
import { createExplainRead } from './pipeline/explain-read.ts';
import { checkSelections } from './pipeline/parse/check-selections.ts';
import { readDefaultPopulate } from './pipeline/parse/default-populate.ts';
import { ResponseCache } from './pipeline/response-cache.ts';
import { createReachRow } from './pipeline/restrict/reach-row.ts';
import { FairConnections } from './pipeline/run/queue/fair-connections.ts';
import { openDirectReader } from './pipeline/run/read/direct-reader.ts';
import { openReadPool } from './pipeline/run/read/read-pool.ts';
import { openReplicaReads } from './pipeline/run/read/replica-reads.ts';
import { openWriter } from './pipeline/run/write/run-write.ts';
import { openWritingThread, type WritingThread } from './pipeline/run/write/writing-thread.ts';
import { UnlistedComponents } from './pipeline/unlisted-components.ts';
import { createWriteUser } from './pipeline/write-user.ts';
import { readinessChecks } from './readiness-checks.ts';
import { openSearch } from './search/open-search.ts';
import { writingProblem } from './sql/run.ts';
import { columnsByTable } from './sql/table-exists.ts';
import { missingOptionalTables } from './tables/optional-tables.ts';
import { httpUrl } from './text/http-url.ts';
import { lecternCommand } from './text/lectern-command.ts';

export interface App {
  /** The model that is served: with the types that the columns have. */
  readonly model: ContentModel;
  readonly changedTypes: readonly ChangedType[];
  /** What hooks and endpoints define; undefined for a project without them. */
  readonly code: Manifest | undefined;
  /** Serves the requests that are emitted to it, listening or not. */
  readonly server: HttpServer;
  /** Resolves with the URL once the server is ready. */
  listen(): Promise<string>;
  /** Goes on serving, but `/_ready` responds with 503, and each connection ends with the response
   *  to its next request, so that load balancers and clients send requests elsewhere. */
  leave(): void;
  /** Accepts no more connections, and ends each with the response to its next
   *  request. Resolves when there are none left, or after the time (milliseconds);
   *  requests are served all the while. */
  drain(time: number): Promise<void>;
  /** Lets requests in flight finish, then closes the database. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly log?: LogStream;
  /** Takes the messages of the start. */
  readonly notices?: LogStream;
  /** In development, and in the demo, the server tells the statements of a read, and why it refuses
   *  a request. The command decides it, so that no setting and no variable can. */
  readonly purpose?: 'production' | 'development' | 'demo';
}

/** Makes a server of a project. Throws a `StartError` that names
 *  everything that stands in the way. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { log = process.stderr, notices = process.stderr, purpose = 'production' } = options;
  const isDevelopment = purpose !== 'production';
  const schemaModel = await loadProjectModel(config);
  notices.write(describeModelWarnings(schemaModel));
  let code: OwnCode | undefined;
  const readWith = (each: ContentModel) => ({
    routes: loadProjectRoutes(config, each, code?.manifest.endpoints),
    defaultPopulate: readDefaultPopulate(config, each),
  });
  checkSelections(config, schemaModel);
  // Before a database is made: a mistake in the file must not leave half of a new project behind.
  const declared = findDeclaration(config.dir, schemaModel);
  const unknown = unknownNames(config, schemaModel);
  if (unknown.length > 0) throw new StartError(unknown);
  let writing: WritingThread | undefined;
  let webhooks: WebhookDispatcher | undefined;
  const server = createServer(config, log);
  code = await openOwnCode(config.dir, schemaModel, server.app.log);
  const readFirst = await orClose(code, () => readWith(schemaModel));
  const logUnprepared = () =>
    server.app.log.warn(
      'a connection pooler gives each transaction another session, so statements are no longer prepared; set database.preparedStatements to false, or let the pooler support prepared statements',
    );
  const figures = new Figures();
  const metrics = await openMetrics(config, figures);
  const lag = lagOf(config);
  const responses: ResponseCache | undefined = ResponseCache.of(config.cache.bytes, lag, () => opened.dataVersion());
  const opened = await orClose(code, () =>
    openProjectDatabase(config, {
      committed(changed) {
        responses?.note(changed);
        webhooks?.wake();
      },
      waiters: { add: () => writing?.waiters.add(), remove: () => writing?.waiters.remove() },
      askWriter: () => writing?.askState(),
      unprepared: logUnprepared,
      moved: (host) => server.app.log.warn({ host }, 'another host of DATABASE_URL is used from now on'),
    }),
  );
  const timed = (each: Database) => (metrics === undefined ? each : timedDatabase(each, metrics.statement));
  const database = timed(opened);
  figures.pool = () => database.connections();
  figures.lostConnections = () => database.lostConnections();
  const closing: (() => unknown)[] = [() => code?.close(), () => database.close()];
  const closes = <Part extends { close(): unknown } | undefined>(part: Part): Part => {
    closing.push(() => part?.close());
    return part;
  };
  /** Closes what was opened, the last part first. */
  const close = async () => {
    for (const each of closing.toReversed()) await each();
  };
  try {
    // They respond while the start goes on.
    const replicas = closes(
      await openReplicas(config.database, {
        statementTime: config.limits.statementTime,
        databaseOrder: config.policies.databaseOrder,
        wrap: timed,
        changed(state) {
          if (state.problem === undefined) server.app.log.info({ replica: state.number }, 'a read replica is used again');
          else server.app.log.warn({ replica: state.number }, describeProblem(state));
        },
        unprepared: logUnprepared,
      }),
    );
    figures.replicas = () => replicas?.states() ?? [];
    // The first reading thread starts while the main thread goes on.
    const pool = database.dialect.blocksThread ? openReadPool(config, figures) : undefined;
    closes(pool?.reader);
    const prepared = await prepareDatabase(database, schemaModel, config);
    if (!prepared.ok) throw new StartError(prepared.problems);
    const { changedTypes } = prepared;
    const model = withColumnTypes(schemaModel, changedTypes);
    const { routes, defaultPopulate } = model === schemaModel ? readFirst : readWith(model);
    const tables = await columnsByTable(database);
    const keeps = keepsEvents(config, tables);
    const missing = missingOptionalTables(config, database, new Set(tables.keys()));
    if (missing.length > 0) throw new StartError(missing);
    const connections = new FairConnections(config.limits, config.database.poolMax);
    const { limits } = config;
    const signing = urlSigning(config);
    const reader = pool?.reader ?? closes(openDirectReader({ database, queue: connections, limits, signing }));
    if (pool === undefined) figures.queues.set('database', () => connections.figures());
    const openReplicaReader = ({ database: each }: Replica) =>
      openDirectReader({ database: each, queue: new FairConnections(limits, config.database.poolMax), limits, signing });
    if (database.hasWritingNodes) notices.write('The database is a node of a Galera cluster: locks are rows of lectern_locks.\n');
    if (database.unversioned !== undefined)
      notices.write(
        `Nothing is cached by the version of the data, as on MariaDB (${database.unversioned}): \`${lecternCommand('check --database')}\` reports what this database server can do.\n`,
      );
    const readOnly = await writingProblem(database);
    if (readOnly !== undefined) notices.write(`Warning: ${readOnly}\n`);
    if (prepared.outcome === 'created') notices.write('Created the tables of a new database.\n');
    for (const line of [...prepared.rows, prepared.openDecisions].filter((text) => text !== '')) notices.write(`${line}\n`);
    notices.write(
      await settlePermissions(
        { database, model, config, origin: prepared.origin, offered: () => offeredNames(database, schemaModel) },
        declared,
      ),
    );
    const configured = configuredSettings(config, prepared.origin);
    // After rights: a role that the project declares is there now.
    const { problems, ignored } = await checkSettings(database, configured);
    if (problems.length > 0) throw new StartError(problems);
    for (const line of ignored) notices.write(`Warning: ${line}\n`);
    notices.write(await describeMissingIndexes(database, model, prepared.origin));
    notices.write(describeProjectRoutes(routes, config.dir));
    const isExact = isIdentityExact(lag, config);
    const askVersion: AskVersion = () => (isExact ? database.dataVersion() : undefined);
    const locales = createLocales(database, askVersion);
    const unlisted = new UnlistedComponents(model);
    const reading = { defaultPopulate, ...(await openSearch({ config, model, database, notices })) };
    const logUnwritable = (error: unknown) => server.app.log.warn({ err: error }, 'indexes.recordFile cannot be written');
    const shapeRecord = closes(new ShapeRecord(config.indexes.recordFile, logUnwritable));
    const answerRead = createAnswerRead({
      config,
      model,
      database,
      reader,
      replicas: replicas && openReplicaReads(replicas, openReplicaReader),
      locales,
      unlisted,
      ...reading,
      responses,
      shapeRecord,
      figures,
    });
    if (database.dialect.blocksThread) writing = openWritingThread(config, model, (commit) => database.writer?.noteCommit(commit), figures);
    const writer = closes(writing ?? openWriter(database, connections, { model, limits, signing }));
    const mailer = createMailer(config.mail, (mail) =>
      server.app.log.info({ mail }, 'no mail server is configured, so this mail is only here'),
    );
    closing.push(() => mailer.close());
    const answerFor = (run: CodeRun): ((ask: Ask) => Promise<string | null>) =>
      answerCode({ model, answerRead, answerWrite: (call, caller) => answerWrite(call, caller), mailer })(run);
    const beforeWrite = code === undefined ? undefined : createBeforeWrite({ model, code, locales, answerRead, answerFor });
    const answerWrite = createAnswerWrite({ config, model, database, keepsEvents: keeps, writer, locales, unlisted, figures, beforeWrite });
    const answerBatch = createAnswerBatch({ config, model, database, keepsEvents: keeps, writer, locales, unlisted, beforeWrite });
    closes(openPruning({ config, database, tables, log: server.app.log }));
    const userType = model.contentTypes.get(userUid);
    const writeUser =
      userType === undefined ? undefined : createWriteUser({ config, model, database, keepsEvents: keeps, locales, unlisted }, userType);
    const storage = await openProjectStorage(config, notices);
    // A process that was killed during an upload leaves its temporary files behind. The start does
    // not wait for their removal, and `lectern media check` lists those that remain.
    void sweepTemporaryFolders(temporaryDirsOf(config), Date.now()).catch(() => undefined);
    const images = closes(openImages(config));
    figures.queues.set('images', () => images.figures());
    const library = createMediaLibrary({
      config,
      database: withCurrentReads(database),
      storage,
      images,
      configured,
      keepsEvents: keeps,
      uploads: figures.uploads,
    });
    const folders = createMediaFolders({ database: withCurrentReads(database), keepsEvents: keeps });
    const reachRow = createReachRow({ config, model, dialect: database.dialect });
    const identity = await openIdentity({ config, model, database, tables, askVersion, isExact, configured, figures }, server.app.log);
    for (const each of [identity.counts, identity.presence]) closes(each);
    closing.push(() => identity.tokenUse.flush());
    const { actorOf } = identity.identification;
    closes(
      openScheduler({
        model,
        database,
        tables,
        routes: routes.routes,
        answerWrite,
        answerBatch,
        actorOf,
        keepsEvents: keeps,
        log: server.app.log,
      }),
    );
    webhooks = closes(
      await openWebhooks(
        {
          config,
          model,
          database,
          tables,
          locales,
          unlisted,
          defaultPopulate,
          answerRead,
          rightsOf: rightsNamed(identity.store, database),
          figures,
          notices,
          code,
          answerFor,
        },
        server.app.log,
      ),
    );
    const observation = closes(await openObservation({ config, metrics, dialect: database.dialect, log: server.app.log, notices }));
    const readiness = new Readiness(readinessChecks({ config, schemaModel, changedTypes, database, storage, replicas }));
    const http = await createHttp(server, {
      readiness,
      config,
      model,
      routes: routes.routes,
      database,
      askVersion,
      answer: withSourceMaps(answerRead, { config, model, queue: new FairConnections(config.limits, 1) }),
      searchIndexes: reading.searchIndexes,
      code,
      answerFor,
      answerWrite: withSourceMaps(answerWrite, { config, model, queue: undefined }),
      answerBatch,
      locales,
      project: isDevelopment ? projectName(config.dir) : undefined,
      explainRead: isDevelopment ? createExplainRead({ config, model, database, locales, unlisted, ...reading }) : undefined,
      refusals: isDevelopment ? { declared, isTemporary: purpose === 'demo' } : undefined,
      writeUser,
      storage,
      images,
      library,
      folders,
      reachRow,
      figures,
      observation,
      replicas,
      ...identity,
      expected: (error) => apiErrorOf(error, (each) => database.errorKindOf(each), config.limits),
    });
    closing.push(() => closeServer(http));
    await pool?.ready;
    await replicas?.asked;
    for (const state of replicas?.states() ?? []) if (state.problem !== undefined) notices.write(`Warning: ${describeProblem(state)}\n`);
    return {
      model,
      changedTypes,
      code: code?.manifest,
      server: http.server,
      async listen() {
        await http.listen({ host: config.host, port: config.port });
        const metricsUrl = await observation.listen();
        if (metricsUrl !== undefined) notices.write(`The metrics are at ${metricsUrl}\n`);
        const bound = http.server.address();
        return httpUrl(config.host, typeof bound === 'object' && bound !== null ? bound.port : 0);
      },
      leave() {
        readiness.leave();
        endConnections(http.server);
      },
      drain: (time) => drain(http.server, time),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The default of `cache.consistency` where asking for the version is a
 *  round trip. Milliseconds. */
const usualLag = 1000;

/** With several processes, a client's next read may reach another one than its write. */
function lagOf({ cache: { consistency }, database, workers }: Config): number {
  // Asking SQLite costs some microseconds.
  if (consistency === 'exact' || embeddedFile(database) !== undefined) return 0;
  return consistency ?? (workers === 1 ? usualLag : 0);
}

/** Whether each request asks for the version of the data for the caches of callers and locales. A
 *  single process notices its own changes of callers, so that the round trip is worth it only with
 *  `exact`; the other processes of a server would not notice them. */
const isIdentityExact = (lag: number, { workers }: Config): boolean => lag === 0 || workers !== 1;

/** The result of `work`. Its failure ends the threads of the project's code, which are open before
 *  anything else. */
async function orClose<Result>(code: OwnCode | undefined, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await code?.close();
    throw error;
  }
}

function openProjectDatabase(
  config: Config,
  besides: Pick<OpenOptions, 'committed' | 'waiters' | 'askWriter' | 'unprepared' | 'moved'>,
): Promise<Database> {
  const made = mayCreateDatabase(config) ? missingFile(config.database) : undefined;
  if (made !== undefined) mkdirSync(dirname(made), { recursive: true });
  return openDatabase(config.database, {
    create: made !== undefined,
    statementTime: config.limits.statementTime,
    databaseOrder: config.policies.databaseOrder,
    ...besides,
  });
}

/** Documents are served without their files as well: a problem of the storage is only reported. */
async function openProjectStorage(config: Config, notices: LogStream): Promise<Storage> {
  const storage = await openStorage(config);
  const problem = await storage.problem('writing');
  if (problem !== undefined) notices.write(`Warning: files cannot be stored: ${problem}\n`);
  return storage;
}
