/** Projects with the recorded content types and an empty database, and how responses of two sites compare. */
import { join } from 'node:path';
import { differencesIn, isObject } from '../compatibility/compare.ts';
import { orderOfRecordings, recordedDatabase, recordedFiles, secrets } from '../compatibility/recordings.ts';
import { describeDifferences } from '../compatibility/report.ts';
import { readArchiveFolder } from './archives.ts';
import type { EngineName } from './engines.ts';
import type { HttpResponse } from './http.ts';
import { makeProject, type Project } from './project.ts';
import { type RunningServer, run } from './server.ts';

const schemas = Object.fromEntries(
  Object.entries(readArchiveFolder(join(recordedDatabase, '../project'))).map(([name, content]) => [name, String(content)]),
);

/** For commands and servers of these projects. */
export const siteEnv = (project: Project) => ({ ...project.env, ...secrets, ...orderOfRecordings, LECTERN_PROFILE: 'strapi' });

/** The tables are there, and no content. */
export async function emptySite(engine: EngineName, files: Readonly<Record<string, unknown>> = {}): Promise<Project> {
  const project = await makeProject(engine, { ...schemas, ...files });
  const { status, stderr } = await run(['migrate', 'apply', '--dir', project.dir], siteEnv(project));
  if (status !== 0) throw new Error(stderr);
  return project;
}

/** Recorded requests whose responses do not depend on row ids, accounts of Strapi's panel, or what archives do not contain: every sixth, as requests of
 *  one kind stand together. */
const requests = [
  ...new Set(
    recordedFiles('reads').flatMap(({ cases }) =>
      cases.flatMap(({ as, request: { method, path } }) => (as === 'public' && method === 'GET' && !dependsOnIds(path) ? [path] : [])),
    ),
  ),
].filter((_path, index) => index % 6 === 0);

function dependsOnIds(path: string): boolean {
  const text = path.replaceAll(/%5B/gi, '[').replaceAll(/%5D/gi, ']');
  return /\bid\b|\/files\/|_q=\d|createdBy|updatedBy|passphrase|\[(?:pass|author|category|tags|vault|related)\](?:\[\$\w+\])?(?:\[\d*\])?=\d/i.test(
    text,
  );
}

const hidden: ReadonlySet<string> = new Set(['id', 'createdBy', 'updatedBy']);

function without(names: ReadonlySet<string>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => without(names, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (names.has(key) ? [] : [[key, without(names, item)]])));
}

const responses = new WeakMap<RunningServer, Map<string, Promise<HttpResponse>>>();
/** Of a site that does not change: several sites are compared with it. */
function cachedResponse(site: RunningServer, path: string): Promise<HttpResponse> {
  const known = responses.get(site) ?? new Map<string, Promise<HttpResponse>>();
  responses.set(site, known);
  const response = known.get(path) ?? site.get(path);
  known.set(path, response);
  return response;
}

/** The requests that get other responses from the second site, and how many were sent. `inexact`: attributes whose values were rounded. */
export async function compareSites(
  one: RunningServer,
  other: RunningServer,
  inexact: readonly string[] = [],
): Promise<{ readonly sent: number; readonly different: readonly string[] }> {
  const names = new Set([...hidden, ...inexact]);
  const asked = requests.filter((path) => !inexact.some((name) => new RegExp(`\\b${name}\\b`).test(path)));
  const body = (response: HttpResponse) =>
    response.headers['content-type']?.includes('json') === true ? without(names, response.json()) : response.raw.toString('base64');
  const differenceAt = async (path: string) => {
    const [want, got] = await Promise.all([cachedResponse(one, path), other.get(path)]);
    const differences = differencesIn({ status: want.status, body: body(want) }, { status: got.status, body: body(got) }, '$');
    return differences.length > 0 ? [describeDifferences(path, differences.slice(0, 3))] : [];
  };
  const different: string[] = [];
  for (let at = 0; at < asked.length; at += 10) different.push(...(await Promise.all(asked.slice(at, at + 10).map(differenceAt))).flat());
  return { sent: asked.length, different };
}
