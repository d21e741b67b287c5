/** The faults of a storm. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { descendantsOf } from '../processes.mjs';
import { hangUp } from './ask.mjs';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds of an outage: long enough for requests to fail, short enough for many outages. */
const outage = (random) => 300 + random() * 1200;
/** Bytes that are left on a full disk. */
const room = 60_000;

/** The command line of a process; empty if it has ended. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the faults that are possible here, by name. Each is called with a function that returns random numbers from 0 to 1.
 *  @param {{engine: string, workers: number, project: object, serving: object, database: object, relay?: object, ownDisk: boolean}} parts `ownDisk`: only
 *    the project and its database use their disk */
export function faultsOf({ engine, workers, project, serving, database, relay, ownDisk }) {
  const faults = {
    async 'the server is killed'() {
      await serving.kill();
      await serving.start();
    },
    async 'the clients hang up'(random) {
      for (let times = 0; times < 3; times++) {
        hangUp();
        await pause(random() * 300);
      }
    },
  };
  if (workers > 1) {
    faults['a worker is killed'] = async (random) => {
      // An image that ends its process is a broken one: that is no outage.
      const processes = descendantsOf(serving.server.pid).filter((pid) => !commandOf(pid).includes('image-process'));
      const victim = processes[Math.floor(random() * processes.length)];
      if (victim !== undefined) tryKill(victim);
      await pause(outage(random));
    };
  }
  if (database.server !== undefined) {
    faults['the database server is killed, and started again'] = async (random) => {
      await database.server.stop('immediate');
      await pause(outage(random));
      await database.server.start();
    };
    faults['connections to the database are cut'] = async (random) => {
      for (let times = 0; times < 3; times++) {
        await relay.hangUp();
        await relay.restore();
        await pause(random() * 400);
      }
    };
    faults['the database falls silent'] = async (random) => {
      relay.silence();
      await pause(outage(random) + 2000);
      await relay.restore();
    };
  }
  if (ownDisk) faults['the disk is full'] = (random) => fillDisk(project.dir, database, random);
  else if (engine === 'sqlite' && hasFileSizeLimits()) faults['files may not be written'] = (random) => limitFiles(serving, random);
  return faults;
}

function tryKill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended meanwhile.
    if (error.code !== 'ESRCH') throw error;
  }
}

/** If the database server ends because the disk is full, it is started again when there is room. */
async function fillDisk(dir, { server }, random) {
  const filler = join(dir, 'filler');
  const { bavail, bsize } = statfsSync(dir);
  try {
    spawnSync('fallocate', ['--length', String(Math.max(1, bavail * bsize - room)), filler]);
    if (!existsSync(filler)) throw new Error('the disk cannot be filled: no fallocate');
    await pause(2000 + outage(random));
  } finally {
    rmSync(filler, { force: true });
  }
  await pause(300);
  if (server !== undefined && !server.isRunning()) await server.start();
}

const hasFileSizeLimits = () => spawnSync('prlimit', ['--pid', String(process.pid)], { stdio: 'ignore' }).status === 0;

/** Limits the size of files, so that the server cannot write at the end of a file. */
async function limitFiles(serving, random) {
  const limit = (bytes) => {
    for (const pid of [serving.server.pid, ...descendantsOf(serving.server.pid)])
      spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'ignore' });
  };
  limit(10_000);
  await pause(1000 + outage(random));
  limit('unlimited');
}

/** The environment variable with the folder of the storm's own disk. */
const diskVariable = 'LECTERN_STORM_DISK';

/** The folder of the storm's own disk; undefined if it has none. */
export const ownDisk = () => process.env[diskVariable];

/** Runs this program again in a mount namespace that has a small disk in memory at a folder. Needs the superuser, since the database servers run as users of their
 *  own.
 *  @returns {number | undefined} the exit code; undefined if that is not possible */
export function withOwnDisk(folder, megabytes) {
  if (process.getuid?.() !== 0 || !existsSync('/proc/self/root')) return undefined;
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=1777 tmpfs "$0"`;
  if (spawnSync('unshare', ['-m', 'sh', '-c', script, folder], { stdio: 'ignore' }).status !== 0) return undefined;
  const env = { ...process.env, TMPDIR: folder, [diskVariable]: folder };
  const command = ['-m', 'sh', '-c', `${script} && exec "$@"`, folder, process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', command, { stdio: 'inherit', env });
  return status ?? 1;
}
