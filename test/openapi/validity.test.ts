/** The document of a whole project passes the validators that others use, and describes every route that is served. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/openapi/document-parts.ts';
import { anyEngine } from '../support/engines.ts';
import { hiddenContent, hiddenFiles } from '../support/hidden-content.ts';
import { useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { namesIn, routesIn } from './documents.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const redocly = file('../node_modules/@redocly/cli/bin/cli.js');

const profiles = {
  specification: { LECTERN_PROFILE: 'specification' },
  strapi: { LECTERN_PROFILE: 'strapi', LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support' },
};
/** The largest project in both profiles, the others in one of them. */
const projects = [
  ['the demo', 'specification', '../../examples/blog'],
  ['the project that Strapi was recorded with', 'specification', '../compatibility/recordings/reads/project'],
  ['the project that Strapi was recorded with', 'strapi', '../compatibility/recordings/reads/project'],
  ['the project that writes were recorded with', 'strapi', '../compatibility/recordings/writes/project'],
] as const;

const described = projects.map(([name, profile, path]) => [name, profile, { path: file(path), env: profiles[profile] }] as const);
const fileOf = (name: string, profile: string) => join(folder, `${name} in ${profile}.json`.replaceAll(' ', '-'));
const folder = useTemporaryFolder();
beforeAll(async () => {
  for (const [name, profile, { path, env }] of described) {
    const { status, stderr } = await run(['openapi', '--dir', path, '--out', fileOf(name, profile)], env);
    if (status !== 0) throw new Error(stderr);
  }
});

it('the documents of all projects pass @redocly/cli', async () => {
  const args = ['lint', '--config', file('redocly.yaml'), '--format', 'json', ...described.map(([name, profile]) => fileOf(name, profile))];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const lint = promisify(execFile)(process.execPath, [redocly, ...args], { env });
  const { stdout } = await lint.catch((error: { stdout: string }) => error);
  expect(stdout.match(/"errors": 0,\s+"warnings": 0,/g), stdout).toHaveLength(described.length);
});

describe.each(described)('%s in profile %s', (name, profile, { path, env }) => {
  let document: OpenApiDocument;
  beforeAll(() => {
    document = JSON.parse(readFileSync(fileOf(name, profile), 'utf8'));
  });

  it('passes @apidevtools/swagger-parser', async () => {
    await expect(SwaggerParser.validate(structuredClone(document) as never)).resolves.toBeDefined();
  });

  it('has every route that is served, and no other', async () => {
    const { stdout } = await run(['routes', '--dir', path], env);
    const served = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .map(([method, route = '']) => `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter((route) => !notServed.some((pattern) => pattern.test(route)) && (profile === 'specification' || !ofSessions.test(route)));
    expect([...namesIn(document)].sort()).toEqual(served.sort());
  });

  it('has an id of its own for each operation', () => {
    const ids = routesIn(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z\d]+$/.test(id))).toEqual([]);
  });
});

/** Routes that always respond with 501, and those for providers, own fields and full-text search, which these projects do not have. */
const notServed = [
  /^GET \/api\/_search$/,
  /^PUT \/api\/users\/me$/,
  /\/content-type-builder\//,
  /\/auth\/\{provider\}\/callback$/,
  /\/connect\/\{provider\}/,
];
/** Refreshing, which `legacy-support` does not know. */
const ofSessions = / \/api\/auth\/(?:refresh|logout|sessions)/;

describe.each(anyEngine)('%s', (engine) => {
  const site = useProject(engine, {
    files: hiddenFiles,
    ...hiddenContent({ values: 'alpha', entries: 'alpha' }),
    env: { JWT_SECRET: 'secret' },
  });

  it('describes no route that the server does not have', async () => {
    const document = (await site.ask('full', 'GET', '/api/openapi.json')).json() as OpenApiDocument;
    for (const { method, path } of routesIn(document)) {
      const { status, text } = await site.send('full', {
        method,
        path: path.replaceAll(/\{\w+\}/g, '1'),
        ...(method === 'GET' ? {} : { body: {} }),
      });
      expect(`${method} ${path}: ${status} ${text}`).not.toMatch(/: 501|route\.not-found|route\.method|Method Not Allowed/);
    }
  });

  it('is the same document as that of the command', async () => {
    const served = (await site.ask('full', 'GET', '/api/openapi.json')).json();
    const { stdout } = await run(['openapi', '--as', 'full-access', '--dir', site.project.dir], site.environment);
    expect(JSON.parse(stdout)).toEqual(served);
  });
});
