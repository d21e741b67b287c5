import { expect, it } from 'vitest';
import { databaseServer, readDatabaseChoice } from './database-choice.ts';

const serverOf = (text: string) => {
  const read = readDatabaseChoice(text);
  return read.ok ? databaseServer(read.choice, 'my_site') : read.problem;
};

it.each([
  ['sqlite', undefined],
  [
    'postgres',
    {
      client: 'postgres',
      url: 'postgres://postgres@127.0.0.1:5432/my_site',
      make: 'createdb --host=127.0.0.1 --port=5432 --username=postgres my_site',
    },
  ],
  [
    'mysql',
    {
      client: 'mysql',
      url: 'mysql://root@127.0.0.1:3306/my_site',
      make: 'mysqladmin --host=127.0.0.1 --port=3306 --user=root create my_site',
    },
  ],
  [
    'mariadb://me:se%40cret@db/a-b',
    {
      client: 'mysql',
      url: 'mariadb://me:se%40cret@db/a-b',
      make: 'mariadb-admin --host=db --user=me --password create a-b',
    },
  ],
  [
    'postgresql://me:secret@db:5433/my%20site?sslmode=require',
    {
      client: 'postgres',
      url: 'postgresql://me:secret@db:5433/my%20site?sslmode=require',
      make: "createdb --host=db --port=5433 --username=me 'my site'",
    },
  ],
  [
    'postgres:///site?host=/run/postgresql',
    { client: 'postgres', url: 'postgres:///site?host=/run/postgresql', make: 'createdb --host=/run/postgresql site' },
  ],
])('--database %s', (text, server) => {
  expect(serverOf(text)).toEqual(server);
});

it.each([
  ['Postgres', '"Postgres" is of no known database server: name sqlite, postgres or mysql'],
  ['postgres:', '"postgres:" is of no known database server'],
  ['http://db/site', 'this URL is of no known database server'],
  ['mysql://[/site', 'the URL cannot be read'],
  ["mysql://db/it's", 'the URL cannot be read'],
  ['mysql://db/', 'the URL names no database'],
])('refuses %s', (text, problem) => {
  expect(serverOf(text)).toMatch(problem);
});
