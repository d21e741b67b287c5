import { describe, expect, it } from 'vitest';
import { mariadb, mysql, serverOf } from './mysql-servers.ts';

describe('the server of a version', () => {
  it.each([
    ['10.11.11-MariaDB-0+deb12u1', mariadb],
    ['11.4.2-MariaDB', mariadb],
    ['8.0.20', mysql],
    ['8.0.42-0ubuntu0.24.04.1', mysql],
    ['8.4.5', mysql],
    ['9.7.4-2', mysql],
  ])('%s', (version, server) => {
    expect(serverOf(version)).toBe(server);
  });
  it.each([
    ['10.6.20-MariaDB', '10.11.0'],
    ['5.5.5-10.5.1-MariaDB', '10.11.0'],
    ['8.0.19', '8.0.20'],
    ['5.7.44-log', '8.0.20'],
  ])('%s is too old', (version, oldest) => {
    expect(() => serverOf(version)).toThrow(`${version}: ${oldest} or later is needed.`);
  });
});
