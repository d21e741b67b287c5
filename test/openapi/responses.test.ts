/** Responses are as the document describes them: those to every GET that was recorded of Strapi, each in one of the profiles. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/openapi/document-parts.ts';
import { credentialsOf, type RecordedCase, recordedFiles, recordedProject, replayer, secrets } from '../compatibility/recordings.ts';
import { anyEngine } from '../support/engines.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { useMade } from '../support/use-made.ts';
import { type ResponseProblems, responseValidator } from './response-validator.ts';

/** Without strict parameters, fewer of the requests are refused. */
const profiles = [
  ['specification', {}],
  ['strapi', { LECTERN_API_STRICT_PARAMS: 'false' }],
] as const;

/** What the document leaves out, as docs/openapi.md says: the former format, and numbers instead of entries. */
const isLeftOut = ({ request: { path, headers } }: RecordedCase): boolean =>
  /\[count\]/.test(decoded(path)) ||
  Object.entries(headers ?? {}).some(([name, value]) => name.toLowerCase() === 'strapi-response-format' && value === 'v4');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `locale` of a type without locales, which Strapi shows of entries that a morph relation leads to. */
const isOdd = (problem: string): boolean => /\/locale is not described$/.test(problem);

describe.each(anyEngine)('%s', (engine) => {
  const project = useMade(() => recordedProject(engine));

  describe.each(profiles)('profile %s %j', (profile, env) => {
    // Each profile takes every second case of each file: neighbours ask for the same attributes in another way.
    const turn = profiles.findIndex(([name]) => name === profile);
    let server: RunningServer;
    let replay: ReturnType<typeof replayer>;
    let problemsOf: ResponseProblems;
    beforeAll(async () => {
      server = await startServer(project().dir, { ...project().env, ...secrets, LECTERN_PROFILE: profile, ...env });
      replay = replayer(server);
      const response = await server.get('/api/openapi.json', { Authorization: `Bearer ${credentialsOf('full')}` });
      expect(response.status).toBe(200);
      problemsOf = responseValidator(response.json() as OpenApiDocument);
    });
    afterAll(() => server?.stop());

    it('notices what is not described', async () => {
      const response = await server.get('/api/articles?pagination[pageSize]=1', { Authorization: `Bearer ${credentialsOf('full')}` });
      const { data, meta } = response.json() as { data: object[]; meta: object };
      const changed = (more: object) => ({ ...response, json: () => ({ data: data.map((entry) => ({ ...entry, ...more })), meta }) });
      expect(problemsOf('GET', '/api/articles', changed({ title: 5 }))).toEqual([expect.stringContaining('title must be')]);
      expect(problemsOf('GET', '/api/articles', changed({ nope: null }))).toEqual(['/data/0/nope is not described']);
    });

    it.each(recordedFiles('reads'))('$file', async ({ cases }) => {
      const found: string[] = [];
      let compared = 0;
      for (const recorded of cases.filter((_, at) => at % profiles.length === turn)) {
        const { method, path } = recorded.request;
        if (method !== 'GET' || isLeftOut(recorded)) continue;
        const response = await replay(recorded);
        const problems = problemsOf(method, path, response);
        if (problems === undefined) continue;
        compared++;
        found.push(...problems.filter((problem) => !isOdd(problem)).map((problem) => `${path} ${response.status}: ${problem}`));
      }
      expect(found).toEqual([]);
      expect(compared).toBeGreaterThan(0);
    });
  });
});
