import { expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { postgresServersOf } from './postgres-servers.ts';
import { mysqlHosts } from './server-reach.ts';

const loaded = loadConfig({ dir: '/nowhere', environment: { DATABASE_CLIENT: 'postgres' }, overrides: {} });
if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
const { database } = loaded.config;
const url = (query: string) => ({ ...database, url: `postgres://u:geheim@h/d?application_name=x&${query}` });
const mustBe = 'target_session_attrs in DATABASE_URL must be one of read-write, primary, any, but it is';

it.each([
  ['target_session_attrs=standby', `${mustBe} "standby": Lectern has to write`],
  ['target_session_attrs=primry', `${mustBe} "primry"; did you mean primary?`],
  ['target_session_attrs=9', `${mustBe} "9"`],
  [
    'target_session_attr=primary',
    'DATABASE_URL has the parameter "target_session_attr", which is not read. Did you mean target_session_attrs?',
  ],
  ['targetSessionAttrs=any', 'DATABASE_URL has the parameter "targetSessionAttrs", which is not read. Did you mean target_session_attrs?'],
])('refuses %s', (query, message) => {
  expect(() => postgresServersOf(url(query))).toThrow(expect.objectContaining({ problems: [message] }));
});

it.each([
  ['connect_timeout=3', undefined],
  ['target_session_attrs=any', undefined],
  ['target_session_attrs=primary', 'h'],
])('accepts %s', (query, host) => {
  expect(postgresServersOf(url(query))?.hosts.candidate.name).toBe(host);
});

it('refuses it for MariaDB and MySQL', () => {
  const message = 'DATABASE_URL has the parameter "target_session_attrs", which only PostgreSQL has.';
  expect(() => mysqlHosts({ ...database, url: 'mysql://u:geheim@h/d?target_session_attrs=primary' })).toThrow(message);
});
