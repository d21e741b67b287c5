/** The servers of a run of tests: one of its own for each engine that it tests, where the programs are installed and no URL names another server. Nobody
 *  needs their data after a crash of the machine, so they wait for no disk. */
import type { EngineName } from './engines.ts';
import { hasMariadbPrograms, startOwnMariadb } from './own-mariadb.ts';
import { hasPostgresPrograms, startOwnPostgres } from './own-postgres.ts';
import { startPooler } from './pooler.ts';
import { postgresUrl } from './postgres-server.ts';

/** Names the servers in the variables by which tests find them. `required`: empty for the usual engines. Returns what removes the servers. */
export async function startOwnServers(required: readonly EngineName[]): Promise<() => void> {
  const removals: (() => void)[] = [];
  const { LECTERN_TEST_POSTGRES_URL: postgres, LECTERN_TEST_MARIADB_URL: mariadb } = process.env;
  if (postgres === undefined && hasPostgresPrograms && (required.length === 0 || required.includes('postgres'))) {
    const own = await startOwnPostgres();
    removals.push(() => own.remove());
    process.env.LECTERN_TEST_POSTGRES_URL = own.url;
  }
  if (mariadb === undefined && hasMariadbPrograms && required.includes('mariadb')) {
    const own = await startOwnMariadb([
      ...['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=OFF', '--innodb-flush-method=nosync'],
      ...['--innodb-buffer-pool-size=256M', '--innodb-log-file-size=256M', '--max-connections=500'],
    ]);
    removals.push(() => own.remove());
    process.env.LECTERN_TEST_MARIADB_URL = new URL('/', own.url).href;
  }
  // Each database has a pool of its own, and the server has few connections.
  if (process.env.LECTERN_TEST_POOLER !== undefined) {
    const pooler = await startPooler(postgresUrl(), [
      'default_pool_size = 4',
      'server_round_robin = 1',
      'server_idle_timeout = 2',
      'max_client_conn = 2000',
    ]);
    removals.unshift(() => void pooler.close());
    process.env.LECTERN_TEST_POOLER = pooler.host;
  }
  const removeAll = () => {
    for (const remove of removals.splice(0)) remove();
  };
  // Ctrl-C ends the run without its teardown.
  process.once('exit', removeAll);
  return removeAll;
}
