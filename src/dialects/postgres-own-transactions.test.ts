import { describe, expect, it } from 'vitest';
import { OwnTransactions, onlyOwnEnded, readSnapshot } from './postgres-own-transactions.ts';

describe('two snapshots of PostgreSQL', () => {
  const cases: readonly (readonly [it: string, before: string, after: string, own: readonly number[], expected: boolean])[] = [
    ['are the same without a transaction in between', '10:10:', '10:10:', [], true],
    ['are the same while one is running, which began in between', '10:10:', '10:11:10', [], true],
    ['are the same while one goes on running', '10:12:10', '10:12:10', [], true],
    ['are the same after an own one that began in between', '10:10:', '11:11:', [10], true],
    ['are the same after an own one that was running', '10:11:10', '11:11:', [10], true],
    ['are the same after several own ones beside a running one of others', '10:12:10,11', '11:14:11', [10, 12, 13], true],
    ['differ after one of others that began in between', '10:10:', '11:11:', [], false],
    ['differ after one of others that was running', '10:11:10', '11:11:', [], false],
    ['differ after own ones and one of others', '10:12:10', '14:14:', [10, 12], false],
    ['differ after one of others that was running, and an own one', '10:12:10,11', '12:13:', [11, 12], false],
    ['differ when an own one is running and one of others has ended', '10:10:', '10:12:10', [10], false],
    ['differ when the second one is older', '12:12:', '10:10:', [], false],
    ['are the same after many own ones', '10:10:', '5000:5000:', Array.from({ length: 4990 }, (_, at) => at + 10), true],
    ['differ after too many to look at', '10:10:', '6010:6010:', Array.from({ length: 6000 }, (_, at) => at + 10), false],
  ];
  it.each(cases)('%s', (_, before, after, own, expected) => {
    expect(onlyOwnEnded(readSnapshot(before), readSnapshot(after), new Set(own))).toBe(expected);
  });
});

describe('the epoch', () => {
  const soon = () => performance.now() + 2000;
  const committed = (own: OwnTransactions, id: number | undefined) => own.end(Promise.resolve(id), Promise.resolve());

  it('stays over own transactions, and changes after one of others', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '10:10:', soon());
    await committed(own, 10);
    expect(await own.epoch('s', '11:11:', soon())).toBe(first);
    expect(await own.epoch('s', '12:12:', soon())).not.toBe(first);
  });

  it('waits for the id of an own transaction whose commit it sees before its response has come', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '10:10:', soon());
    let respond = (_: number) => {};
    const ended = own.end(
      new Promise<number>((resolve) => {
        respond = resolve;
      }),
      Promise.resolve(),
    );
    const second = own.epoch('s', '11:11:', soon());
    setTimeout(() => respond(10), 20);
    expect(await second).toBe(first);
    await ended;
  });

  it('changes when that response does not come in time', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '10:10:', soon());
    void own.end(new Promise<number>(() => undefined), Promise.resolve());
    expect(await own.epoch('s', '11:11:', performance.now())).not.toBe(first);
  });

  it('changes after a commit with an unknown outcome, whose caller gets the error', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '10:10:', soon());
    await expect(own.end(Promise.resolve(10), Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await own.epoch('s', '11:11:', soon())).not.toBe(first);
  });

  it('changes with the server, where an id is that of another transaction', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '10:10:', soon());
    await committed(own, 11);
    const second = await own.epoch('t', '10:10:', soon());
    expect(second).not.toBe(first);
    expect(await own.epoch('t', '12:12:', soon())).not.toBe(second);
  });

  it('remembers an id until a snapshot has passed it, and no longer', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '10:11:10', soon());
    await committed(own, 12);
    await committed(own, undefined);
    expect(await own.epoch('s', '10:11:10', soon())).toBe(first);
    await committed(own, 11);
    expect(await own.epoch('s', '10:13:10', soon())).toBe(first);
    // A server never shows an id as running again; here it tells that the id was forgotten.
    await own.epoch('s', '10:13:10,12', soon());
    expect(await own.epoch('s', '10:13:10', soon())).not.toBe(first);
  });

  it('changes when nobody has asked for ten thousand own transactions', async () => {
    const own = new OwnTransactions();
    const first = await own.epoch('s', '100000:100000:', soon());
    await committed(own, 100_000);
    for (let id = 200_000; id < 210_000; id++) await committed(own, id);
    expect(await own.epoch('s', '100001:100001:', soon())).not.toBe(first);
  });
});
