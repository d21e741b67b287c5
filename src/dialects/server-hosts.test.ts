import { describe, expect, it } from 'vitest';
import { type Host, NotWritable, NoUsableHost, ServerHosts } from './server-hosts.ts';

const named = (name: string): Host<string> => ({ name, address: name });

/** Hosts of which `usable` can be connected to, and the names of those that were tried. */
function hostsOf(usable: readonly string[], names = ['a', 'b', 'c'] as const) {
  const hosts = new ServerHosts([named(names[0]), ...names.slice(1).map(named)], 1500);
  const state = { usable, tried: [] as string[], moves: 0 };
  hosts.onMove(() => state.moves++);
  const connect = () =>
    hosts.search(async () => {
      const host = hosts.candidate;
      const open = async () => {
        state.tried.push(host.name);
        if (!state.usable.includes(host.name)) throw new Error(state.usable.includes('wrong password') ? 'password' : 'away');
        return host.name;
      };
      return hosts.attempt(host, open, (error) => error instanceof Error && error.message === 'password');
    });
  return { hosts, state, connect };
}

describe('the hosts of a URL', () => {
  it('are tried in their order, and the next connection begins with the last good one', async () => {
    const { state, connect } = hostsOf(['b', 'c']);
    expect([await connect(), await connect()]).toEqual(['b', 'b']);
    expect(state).toMatchObject({ tried: ['a', 'b', 'b'], moves: 0 });
  });

  it('are told apart: who listens learns that another one is used', async () => {
    const { hosts, state, connect } = hostsOf(['b']);
    await connect();
    state.usable = ['a'];
    expect(await connect()).toBe('a');
    expect([hosts.inUse.name, state.moves, state.tried]).toEqual(['a', 1, ['a', 'b', 'b', 'c', 'a']]);
  });

  it('are each tried once at most, and the error names the reasons', async () => {
    const { state, connect } = hostsOf([]);
    const error = await connect().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoUsableHost);
    expect(String(error)).toContain('No host in DATABASE_URL can be used: a: away; b: away; c: away');
    expect(state.tried).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['refuses connections has the error of the connection', new Error('away'), 'away'],
    ['cannot be written to is named', new NotWritable('a standby'), 'No host in DATABASE_URL can be used: a: a standby'],
  ])('a single one that %s', async (_, refusal, message) => {
    const hosts = new ServerHosts([named('a')], 100);
    const attempt = () =>
      hosts.attempt(
        hosts.candidate,
        () => Promise.reject(refusal),
        () => false,
      );
    await expect(hosts.search(attempt)).rejects.toMatchObject({ message });
  });

  it('are not tried when the reason holds for all', async () => {
    const { state, connect } = hostsOf(['wrong password']);
    await expect(connect()).rejects.toThrow('password');
    expect(state.tried).toEqual(['a']);
  });

  it('are all tried when several connections are opened at once', async () => {
    const { connect } = hostsOf(['c']);
    expect(await Promise.all(Array.from({ length: 5 }, connect))).toEqual(['c', 'c', 'c', 'c', 'c']);
  });

  it('share the time, and none has less than some hundred milliseconds', () => {
    expect([hostsOf([]).hosts.share, new ServerHosts([named('a')], 100).share]).toEqual([500, 100]);
    expect(new ServerHosts([named('a'), named('b')], 100).share).toBe(300);
  });
});
