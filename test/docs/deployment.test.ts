/** `deploy/` and docs/deployment.md: what they name is there. The files were run by hand, as a test cannot start Docker or systemd; haproxy.cfg has tests of its own. */
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
  ['deploy/compose-galera.yaml', /x-api:[\s\S]*?stop_grace_period: (\d+)s/],
  ['deploy/compose-patroni.yaml', /x-api:[\s\S]*?stop_grace_period: (\d+)s/],
  ['deploy/kubernetes.yaml', /terminationGracePeriodSeconds: (\d+)/],
])('%s waits longer than shutdownDelay and shutdownTime', (file, pattern) => {
  const text = read(file);
  const time = numberOf(/`LECTERN_SHUTDOWN_TIME` \|[^|]*\| `(\d+)`/, settings);
  const delay = /LECTERN_SHUTDOWN_DELAY[:,]/.test(text) ? numberOf(/LECTERN_SHUTDOWN_DELAY(?:, value)?: "(\d+)"/, text) : 0;
  expect(numberOf(pattern, text) * 1000).toBeGreaterThan(delay + time);
});

it('the containers of a cluster have the addresses that haproxy.cfg names', () => {
  const named = [...read('deploy/haproxy.cfg').matchAll(/^ +server (\S+) ([\d.]+):/gm)].map(([, name, address]) => `${name} ${address}`);
  const files = ['deploy/compose-galera.yaml', 'deploy/compose-patroni.yaml'].map(read).join('');
  const given = [...files.matchAll(/^ {2}([\w-]+):\n(?: {4}.*\n)*? {4}networks: \{ site: \{ ipv4_address: ([\d.]+) \} \}$/gm)];
  const addresses = new Set(given.map(([, name, address]) => `${name} ${address}`));
  expect(named.length).toBe(8);
  expect(named.filter((each) => !addresses.has(each))).toEqual([]);
});

it('the image starts a file of the package, and asks for a path of the server', () => {
  const text = read('deploy/Dockerfile');
  const program = /CMD \["node", "node_modules\/lectern\/([^"]+)", "start"\]\s*$/.exec(text)?.[1] ?? '';
  expect(existsSync(join(root, program))).toBe(true);
  expect(text).toContain('/_health');
  expect(text.indexOf('USER node')).toBeLessThan(text.indexOf('CMD ["node", "node_modules'));
});
