import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadFiles, noTypes, typeFile } from '../../test/support/model-files.ts';
import { loadConfig } from '../config/load-config.ts';
import { withSourceMaps } from './answer-with-source-maps.ts';
import type { WriteOutcome } from './call.ts';
import { FairConnections } from './run/queue/fair-connections.ts';

const loadedConfig = loadConfig({ dir: '/nowhere', environment: {}, overrides: {} });
describe('many responses with source maps at once', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('are encoded one after another, and other requests go between them', async () => {
    if (!loadedConfig.ok) throw new Error(JSON.stringify(loadedConfig));
    const { config } = loadedConfig;
    const loaded = loadFiles({ ...noTypes, ...typeFile('note', { text: { type: 'string' } }) });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
    const { model } = loaded;
    const type = model.contentTypes.get('api::note.note');
    if (type === undefined) throw new Error('no type');
    const entries = Array.from({ length: 1000 }, (_, id) => ({ documentId: `d${id}`, text: 'text' }));
    const outcome: WriteOutcome = { status: 200, body: JSON.stringify({ data: entries }), timings: [], statements: 0 };
    const order: string[] = [];
    const { parse, stringify } = JSON;
    vi.spyOn(JSON, 'parse').mockImplementation((...given) => {
      order.push('begin');
      return parse(...given);
    });
    vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
      if (typeof given[0] === 'object' && given[0] !== null && 'data' in given[0]) order.push('end');
      return stringify(...given);
    });
    const answer = withSourceMaps(async (_call: { readonly type: typeof type; readonly withSourceMaps: boolean }) => outcome, {
      config,
      model,
      queue: new FairConnections(config.limits, 1),
    });
    let between = 0;
    const others = setInterval(() => between++, 0);
    const callers = ['a', 'b'].map((key) => ({ key, hasLeft: () => false }));
    await Promise.all(callers.flatMap((caller) => Array.from({ length: 5 }, () => answer({ type, withSourceMaps: true }, caller))));
    await sleep(1);
    clearInterval(others);
    expect(order).toEqual(Array.from({ length: 10 }, () => ['begin', 'end']).flat());
    expect(between).toBeGreaterThan(5);
  });
});
