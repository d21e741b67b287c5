import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import { mayCreateDatabase } from '../../config/database-file.ts';
import { StartError } from '../../errors/start-error.ts';
import { isWorker } from '../../observe/workers.ts';
import { counted } from '../../text/counted.ts';
import { isLoopback } from '../../text/http-url.ts';
import { checkDatabaseFile, loadProject, type ProjectOptions } from './load-project.ts';
import { serve, serveAsWorker } from './serve.ts';

/** `lectern start`: serves a project until SIGINT or SIGTERM. */
export async function start(options: ProjectOptions): Promise<number> {
  try {
    return isWorker() ? await startWorker(options) : await startServer(options);
  } finally {
    // The channel to the primary process of a cluster would keep this one alive.
    cluster.worker?.disconnect();
  }
}

async function startServer(options: ProjectOptions): Promise<number> {
  const { config, warnings } = loadProject(options);
  const workers = workersOf(config);
  checkDatabaseFile(config, mayCreateDatabase(config));
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  const announce = (address: string) => {
    const facts = [`profile ${config.profile}: ${config.profileReason}`, ...config.projectSettings];
    if (isLoopback(config.host)) facts.push('for this machine only: HOST=0.0.0.0 listens on all IP addresses');
    if (workers > 1) facts.push(`${workers} processes`);
    const replicas = config.database.replicaUrls.length;
    if (replicas > 0) facts.push(counted(replicas, 'read replica'));
    return `Lectern listens on ${address} (${facts.join('; ')})`;
  };
  if (workers === 1) return serve(config, announce);
  if (cluster.isWorker)
    throw new StartError([
      `workers is ${workers}, but this process is one of several that another program started (cluster mode of PM2, for example): set workers to 1, or start the server by itself`,
    ]);
  const { superviseWorkers } = await import('./workers/supervise-workers.ts');
  return superviseWorkers(config, workers, announce);
}

async function startWorker(options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  return serveAsWorker(shareOf(config, workersOf(config)));
}

/** SQLite has threads that read, and one that writes. */
function workersOf({ workers, database }: Config): number {
  if (database.client !== 'sqlite') return workers === 'auto' ? availableParallelism() : workers;
  if (workers === 'auto' || workers === 1) return 1;
  throw new StartError([
    `workers is ${workers}, but a SQLite database is served by one process, whose threads read (database.readers): leave it out, or set it to 1 or "auto"`,
  ]);
}

/** One connection is left for others when a slow read has the other one. */
const minConnections = 2;

/** The configuration of one of several processes, which share what one would have. */
const shareOf = (config: Config, workers: number): Config => ({
  ...config,
  database: {
    ...config.database,
    poolMax: Math.max(minConnections, Math.floor(config.database.poolMax / workers)),
    poolMin: Math.min(config.database.poolMin, minConnections),
  },
  cache: {
    ...config.cache,
    bytes: Math.floor(config.cache.bytes / workers),
    // To a process, writes of the other processes are commits of others.
    consistency: config.cache.consistency ?? 'exact',
  },
});
