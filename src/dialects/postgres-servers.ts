/** The hosts of a PostgreSQL URL: several, or one that has to be a primary. */
import type pg from 'pg';
import { oncePer } from '../collections.ts';
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import { didYouMean, nearest, orMeant } from '../text/nearest.ts';
import { serverUrls } from '../text/server-urls.ts';
import { type Host, ServerHosts } from './server-hosts.ts';
import { withTlsOfUrl } from './tls-of-url.ts';

export interface PostgresServers {
  readonly hosts: ServerHosts<pg.ClientConfig>;
  /** The statement that asks a host whether it can be used. */
  readonly question: string | undefined;
}

const parameter = 'target_session_attrs';

/** The values of `target_session_attrs`, with the question for each. Source: PostgreSQL manual,
 *  "Parameter Key Words". */
const questions: Readonly<Record<string, string | undefined>> = {
  'read-write': "SELECT current_setting('transaction_read_only') = 'off'",
  primary: 'SELECT NOT pg_is_in_recovery()',
  any: undefined,
};

/** Its values that ask for a server which need not be writable. */
const readers: ReadonlySet<string> = new Set(['read-only', 'standby', 'prefer-standby']);

/** If it were ignored, a standby could be used. */
function refuseMisspelt(url: URL | undefined): void {
  const misspelt = [...(url?.searchParams.keys() ?? [])].find((name) => name !== parameter && nearest(name, [parameter]) !== undefined);
  if (misspelt !== undefined)
    throw new StartError([
      `DATABASE_URL has the parameter ${JSON.stringify(misspelt)}, which is not read.${didYouMean(misspelt, [parameter])}`,
    ]);
}

/** Undefined for one host that may be any server. The same for all connections of a process, so
 *  that they lead to the same host. Throws a `StartError` for a value that cannot be used. */
export const postgresServersOf = oncePer((configured: DatabaseConfig): PostgresServers | undefined => {
  const { url = '', connectionTime } = withTlsOfUrl(configured);
  const [first, ...others] = serverUrls(url).map(hostOf);
  const asked = serverUrls(url)[0]?.searchParams.get(parameter);
  refuseMisspelt(serverUrls(url)[0]);
  if (asked !== null && asked !== undefined && !Object.hasOwn(questions, asked))
    throw new StartError([
      `${parameter} in DATABASE_URL must be one of ${Object.keys(questions).join(', ')}, but it is ${JSON.stringify(asked)}${readers.has(asked) ? ': Lectern has to write' : orMeant(asked, Object.keys(questions))}`,
    ]);
  if (first === undefined || (others.length === 0 && (asked ?? 'any') === 'any')) return undefined;
  return { hosts: new ServerHosts([first, ...others], connectionTime), question: questions[asked ?? 'read-write'] };
});

const hostOf = (url: URL): Host<pg.ClientConfig> => ({ name: url.host, address: { connectionString: url.href } });
