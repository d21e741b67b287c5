import { describe, expect, it } from 'vitest';
import { engineOf } from './postgres-engine.ts';

describe('engines that speak the protocol of PostgreSQL', () => {
  it.each([
    [
      'PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0) 12.2.0, 64-bit',
      'PostgreSQL 15.18',
    ],
    ['PostgreSQL 16.2 on aarch64-unknown-linux-gnu, compiled by gcc 12, 64-bit', 'PostgreSQL 16.2'],
    ['PostgreSQL 15.3, compiled by Visual C++ build 1914, 64-bit', 'PostgreSQL 15.3'],
    ['PostgreSQL 17.5 - Percona Server for PostgreSQL 17.5.1 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit', 'PostgreSQL 17.5'],
    ['PostgreSQL 19beta1 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit', 'PostgreSQL 19beta1'],
  ])('%s is PostgreSQL', (version, name) => {
    expect(engineOf(version, [])).toEqual({ name, doubt: undefined });
  });

  it.each([
    ['CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27 01:53:43, go1.19.10)', 'CockroachDB CCL v23.1.11'],
    ['PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 16.0.6, 64-bit', 'YugabyteDB 2.20.1.0'],
    ['PostgreSQL 16', 'PostgreSQL 16'],
    [
      'PostgreSQL 12.12 (Greenplum Database 7.0.0 build x) on x86_64, compiled by gcc',
      'PostgreSQL 12.12 (Greenplum Database 7.0.0 build x)',
    ],
    ['PostgreSQL 9.5.0 on x86_64-unknown-linux-gnu (Materialize v0.26.0)', 'PostgreSQL 9.5.0'],
    ['Something new', 'Something new'],
    ['', ''],
  ])('%s is not known as PostgreSQL', (version, name) => {
    expect(engineOf(version, [])).toEqual({ name, doubt: 'it is not known as PostgreSQL' });
  });

  it('PostgreSQL with an extension by which other nodes write is named', () => {
    expect(engineOf('PostgreSQL 16.2 on x86_64-pc-linux-gnu, compiled by gcc', ['citus']).doubt).toBe('it has the extension Citus');
  });
});
