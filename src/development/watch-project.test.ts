import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchProject } from './watch-project.ts';

it('Files in new folders are noticed, whenever the watcher looks into the folder', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  mkdirSync(join(dir, 'src/api'), { recursive: true });
  const noticed = new Set<string>();
  const watch = watchProject(dir, (paths) => {
    for (const path of paths) noticed.add(path);
  });
  onTestFinished(async () => {
    await watch.close();
    rmSync(dir, { recursive: true });
  });
  await watch.ready;
  const made: string[] = [];
  for (let index = 0; index < 100; index++) {
    const file = `src/api/type-${index}/content-types/type-${index}/schema.json`;
    for (const folder of [dirname(dirname(dirname(file))), dirname(dirname(file)), dirname(file)]) {
      mkdirSync(join(dir, folder));
      // The watcher reads one folder while the next one is made.
      await wait((index * 7) % 4);
    }
    writeFileSync(join(dir, file), '{}');
    made.push(file);
  }
  await expect.poll(() => made.filter((file) => !noticed.has(file)), { timeout: 10_000 }).toEqual([]);
});

it.each(['lectern/hooks/article.ts', 'lectern/endpoints/search.mjs', 'lectern/text/words.json'])('%s is an input', async (file) => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  mkdirSync(join(dir, dirname(file)), { recursive: true });
  const noticed = new Set<string>();
  const watch = watchProject(dir, (paths) => {
    for (const path of paths) noticed.add(path);
  });
  onTestFinished(async () => {
    await watch.close();
    rmSync(dir, { recursive: true });
  });
  await watch.ready;
  writeFileSync(join(dir, file), '');
  await expect.poll(() => [...noticed], { timeout: 10_000 }).toEqual([file]);
});
