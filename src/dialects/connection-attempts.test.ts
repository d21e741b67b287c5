/** How often a server that refuses connections is asked for one. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConnectionAttempts } from './connection-attempts.ts';

/** A server that can be away. Counts what it is asked, and how much of it at once. */
function fakeServer() {
  const asked = { all: 0, now: 0, most: 0 };
  const server = {
    isAway: false,
    asked,
    async connect() {
      asked.all++;
      asked.now++;
      asked.most = Math.max(asked.most, asked.now);
      await pause(5);
      asked.now--;
      if (server.isAway) throw new Error('refused');
      return 'connection';
    },
  };
  return server;
}

it('opens connections together while all is well', async () => {
  const server = fakeServer();
  const attempts = new ConnectionAttempts();
  await Promise.all(Array.from({ length: 5 }, () => attempts.run(server.connect)));
  expect(server.asked.most).toBe(5);
});

it('asks a server that is away for one connection at a time, with rests; callers get its error meanwhile', async () => {
  const server = fakeServer();
  const attempts = new ConnectionAttempts();
  server.isAway = true;
  await expect(attempts.run(server.connect)).rejects.toThrow('refused');
  Object.assign(server.asked, { all: 0, most: 0 });
  let refusals = 0;
  for (let round = 0; round < 60; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => attempts.run(server.connect)));
    refusals += outcomes.filter(({ status }) => status === 'rejected').length;
    await pause(5);
  }
  expect(refusals).toBe(600);
  expect(server.asked.most).toBe(1);
  expect(server.asked.all).toBeGreaterThan(0);
  expect(server.asked.all).toBeLessThan(10);
});

it('opens connections together again once one was opened', async () => {
  const server = fakeServer();
  const attempts = new ConnectionAttempts();
  server.isAway = true;
  await expect(attempts.run(server.connect)).rejects.toThrow('refused');
  server.isAway = false;
  await pause(120);
  server.asked.most = 0;
  expect(await Promise.all(Array.from({ length: 5 }, () => attempts.run(server.connect)))).toHaveLength(5);
  expect(server.asked.most).toBe(4);
});

it('counts a server that fell silent on its connections as one that is away; a caller whose time is up begins no attempt', async () => {
  const server = fakeServer();
  const attempts = new ConnectionAttempts();
  attempts.fail(new Error('silent'));
  await expect(attempts.run(server.connect)).rejects.toThrow('silent');
  await pause(150);
  await expect(attempts.run(server.connect, performance.now() - 1)).rejects.toThrow('silent');
  expect(server.asked.all).toBe(0);
  expect(await attempts.run(server.connect)).toBe('connection');
});
