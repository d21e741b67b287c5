/** `deploy/` and docs/deployment.md: what they name is there. The files were run by hand, as a test cannot start Docker, systemd or a proxy. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/packed.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const settings = read('docs/configuration.md');
const files = readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`);
const numberOf = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1]);

describe.each(files)('%s', (file) => {
  const text = read(file);

  it('is in the documentation', () => {
    expect(read('docs/deployment.md')).toContain(`](../${file})`);
  });

  it('sets variables that Lectern reads', () => {
    const names = [...text.matchAll(/\b((?:LECTERN|DATABASE)_[A-Z_]+)\b/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });
});

it.each(['deploy/nginx.conf', 'deploy/Caddyfile'])('%s lets uploads of upload.sizeLimit through', (file) => {
  const limit = numberOf(/`LECTERN_UPLOAD_SIZE_LIMIT`[^|]*\|[^|]*\| `(\d+)`/, settings);
  expect(limit).toBeGreaterThan(0);
  expect(numberOf(/(?:client_max_body_size|max_size) (\d+)m/i, read(file)) * 1_000_000).toBeGreaterThan(limit);
});

it.each([
  ['deploy/lectern.service', /TimeoutStopSec=(\d+)/],
  ['deploy/compose.yaml', /api:[\s\S]*?stop_grace_period: (\d+)s/],
])('%s waits longer than shutdownTime', (file, pattern) => {
  const milliseconds = numberOf(/`LECTERN_SHUTDOWN_TIME` \|[^|]*\| `(\d+)`/, settings);
  expect(numberOf(pattern, read(file)) * 1000).toBeGreaterThan(milliseconds);
});

it('the image starts a file of the package, and asks for a path of the server', () => {
  const text = read('deploy/Dockerfile');
  const program = /CMD \["node", "node_modules\/lectern\/([^"]+)", "start"\]\s*$/.exec(text)?.[1] ?? '';
  expect(existsSync(join(root, program))).toBe(true);
  expect(text).toContain('/_health');
  expect(text.indexOf('USER node')).toBeLessThan(text.indexOf('CMD ["node", "node_modules'));
});
