/** The databases and servers of a consistency test: what is started, how old a read may be, and what is killed. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { UsageError } from '../options.mjs';
import { descendantsOf } from '../processes.mjs';
import { source } from '../source.mjs';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds that a killed server stays away. */
const awayTime = 1000;
/** Replay on the second standby is late by as much, so that a read that misses a write is no rare accident. Milliseconds. */
const replayDelay = 300;

/** Each starts its databases, and returns
 *  - `servers`: the environment of each server of Lectern,
 *  - `promised`: the milliseconds that a read without a position may be old, as docs/scaling.md and docs/caching.md say,
 *  - `margin`: what may be added to that,
 *  - `victims`: databases that may be killed while it runs; each has a name, `kill` and `start`.
 *  @type {Record<string, (dir: string, cleanUps: (() => unknown)[]) => Promise<object>>} */
export const arrangements = {
  /** A server on each of three nodes. */
  async galera(_dir, cleanUps) {
    const { hasGalera, startGalera } = await source('../test/support/own-mariadb.ts');
    if (!hasGalera) throw new UsageError('galera needs mariadbd, galera-4 and rsync, which are not installed');
    const nodes = await startGalera(3, (node) => cleanUps.push(() => node.remove()));
    return {
      servers: nodes.map(({ url }) => ({ DATABASE_CLIENT: 'mysql', DATABASE_URL: url })),
      // The response cache of another node's server, and the time until a node has what another one has committed.
      ...{ promised: 1000 + 1000, margin: 500 },
      victims: nodes.map((node, index) => ({ name: `node ${index + 1}`, kill: () => node.stop('immediate'), start: () => node.start() })),
    };
  },

  /** Two servers that read from two standbys. */
  async postgres(_dir, cleanUps) {
    const { primary, startReplica } = await startPrimary(cleanUps);
    const standbys = [await startReplica(primary), await startReplica(primary)];
    cleanUps.push(() => standbys.map((standby) => standby.remove()));
    await delayReplay(standbys[1]);
    const server = {
      DATABASE_CLIENT: 'postgres',
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: standbys.map(({ url }) => url).join(','),
    };
    return {
      servers: [server, server],
      ...{ promised: 1000, margin: 250 },
      victims: standbys.map((standby, index) => ({
        name: `standby ${index + 1}`,
        kill: () => killPostgres(standby.data),
        start: () => standby.start(),
      })),
    };
  },

  /** One server with three processes. */
  async workers(_dir, cleanUps) {
    const { primary } = await startPrimary(cleanUps);
    return {
      servers: [{ DATABASE_CLIENT: 'postgres', DATABASE_URL: primary.url, LECTERN_WORKERS: '3' }],
      promised: 0,
      margin: 0,
      victims: [],
    };
  },

  async sqlite(dir) {
    return { servers: [{ DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(dir, 'data.db') }], promised: 0, margin: 0, victims: [] };
  },
};

async function startPrimary(cleanUps) {
  const { hasPostgresPrograms, startOwnPostgres, startReplica } = await source('../test/support/own-postgres.ts');
  if (!hasPostgresPrograms) throw new UsageError('initdb of PostgreSQL is not installed');
  const primary = await startOwnPostgres(['max_wal_size = 64MB', 'min_wal_size = 32MB', 'wal_keep_size = 512MB']);
  cleanUps.push(() => primary.remove());
  return { primary, startReplica };
}

async function delayReplay({ url, data }) {
  appendFileSync(join(data, 'postgresql.conf'), `recovery_min_apply_delay = ${replayDelay}\n`);
  const client = new pg.Client(url);
  await client.connect();
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

/** Kills the server and its processes with SIGKILL. */
async function killPostgres(data) {
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const processes = [pid, ...descendantsOf(pid)];
  for (const each of processes) kill(each);
  while (processes.some((each) => kill(each, 0))) await pause(20);
}

function kill(pid, signal = 'SIGKILL') {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Kills one of the databases every `seconds`, as soon as the one before is back.
 *  @returns {{stop: () => Promise<void>}} `stop` waits until all are back */
export function startKilling({ victims }, { seconds, random, history, progress }) {
  let isOver = false;
  let wake;
  const away = (milliseconds) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    for (;;) {
      await away(seconds * 1000);
      if (isOver) return;
      const victim = victims[Math.floor(random() * victims.length)];
      history.add({ type: 'info', f: 'kill', process: 'killer', value: victim.name });
      await victim.kill();
      await pause(awayTime);
      const since = performance.now();
      await victim.start();
      history.add({ type: 'info', f: 'start', process: 'killer', value: victim.name });
      progress(`${victim.name} was killed, and was back after ${((performance.now() - since) / 1000).toFixed(1)} s`);
    }
  };
  const ended = run();
  // Reported by `stop`.
  ended.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      wake?.();
      return ended;
    },
  };
}
