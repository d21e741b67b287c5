/** What a 401 and a 403 of `lectern dev` say, and that those of `lectern start` say nothing of it. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signedInBy } from '../support/accounts.ts';
import { startDev } from '../support/dev-server.ts';
import { send } from '../support/http.ts';
import { makeProject } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { changeIn } from '../support/served-project.ts';
import { type Environment, type RunningServer, run, startServer } from '../support/server.ts';

const text = { type: 'string' };
const files = {
  ...schemaFiles({ note: { attributes: { title: text } }, page: { drafts: true, attributes: { title: text } } }),
  // The rights of other roles are those in the database.
  'permissions.json': { roles: { public: { rights: { page: ['find'] } } } },
};
const secret = 'refusals-secret-of-some-length';

async function projectOfTest(profile: string) {
  const project = await makeProject('sqlite', files);
  onTestFinished(() => project.remove());
  const env: Environment = { ...project.env, LECTERN_PROFILE: profile, API_TOKEN_SALT: 'small-api-token-salt', JWT_SECRET: secret };
  const lectern = async (...args: string[]) => {
    const { status, stdout, stderr } = await run([...args, '--dir', project.dir], env);
    expect(status, stderr).toBe(0);
    return stdout.trim();
  };
  return { project, profile, env, lectern };
}

function signed(payload: object, key: string): string {
  const head = [{ alg: 'HS256', typ: 'JWT' }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`;
}

/** The requests by what is wrong with them, and the hint of each. */
interface Refused {
  readonly authorization?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status: number;
  readonly hint: RegExp;
}

async function refusedRequests({ project, profile, lectern }: Awaited<ReturnType<typeof projectOfTest>>, server: RunningServer) {
  const token = (name: string, ...more: string[]) => lectern('token', 'create', '--name', name, ...more);
  const [full, readOnly, custom, revoked, expired] = [
    await token('full', '--type', 'full-access'),
    await token('reads', '--type', 'read-only'),
    await token('finds', '--type', 'custom', '--action', 'api::page.page.find'),
    await token('revoked', '--type', 'full-access'),
    await token('expired', '--type', 'full-access', '--expires', '12h'),
  ];
  await lectern('token', 'revoke', 'revoked');
  await changeIn(project, "UPDATE strapi_api_tokens SET expires_at = 1000 WHERE name = 'expired'");
  const signIn = async (username: string) => {
    const password = await lectern(
      'user',
      'create',
      '--username',
      username,
      '--email',
      `${username}@example.org`,
      '--role',
      'authenticated',
    );
    return signedInBy(await send(server.base, { method: 'POST', path: '/api/auth/local', body: { identifier: username, password } })).jwt;
  };
  const [eve, bob, gone] = [await signIn('eve'), await signIn('bob'), await signIn('gone')];
  await lectern('user', 'block', 'bob');
  await lectern('user', 'delete', 'gone', '--yes');
  const times = { iat: 1000, exp: 2000 };
  const requests: Readonly<Record<string, Refused>> = {
    visitor: {
      status: 403,
      hint: /role public, which lacks the right api::note\.note\.find; permissions\.json declares .* add "find" to roles\.public\.rights, under "note"/,
    },
    ...(profile === 'strapi'
      ? {}
      : {
          'a visitor, of drafts': {
            path: '/api/pages?status=draft',
            status: 403,
            hint: /role public, which lacks the right api::page\.page\.findDraft; permissions\.json declares .* add "findDraft" to/,
          },
        }),
    'a visitor, of a plugin': {
      path: '/api/users',
      status: 403,
      hint: /`lectern role allow public plugin::users-permissions\.user find --dir .+` grants it/,
    },
    user: {
      authorization: `Bearer ${eve}`,
      status: 403,
      hint: /the role authenticated, .*`lectern role allow authenticated note find --dir .+` grants it/,
    },
    'a user, of the own profile': {
      ...{ authorization: `Bearer ${eve}`, method: 'PUT', path: '/api/users/me', status: 403 },
      hint: /^auth\.ownFields lists the attributes that users may change in their own profile/,
    },
    'a token without Bearer': { authorization: full, status: 403, hint: /Authorization: Bearer <token>.*role public/ },
    'a read-only token': {
      authorization: `Bearer ${readOnly}`,
      method: 'POST',
      status: 403,
      hint: /read-only; `lectern token create .*--action api::note\.note\.create/,
    },
    'a custom token': { authorization: `Bearer ${custom}`, status: 403, hint: /cannot be changed; `lectern token create/ },
    'an unknown token': { authorization: 'Bearer abcdef', status: 401, hint: /the database .+ has no API token with this secret/ },
    'a revoked token': { authorization: `Bearer ${revoked}`, status: 401, hint: /no API token with this secret/ },
    'an expired token': { authorization: `Bearer ${expired}`, status: 401, hint: /API token has expired/ },
    'another signature': { authorization: `Bearer ${signed({ id: 1, exp: 9_999_999_999 }, 'another')}`, status: 401, hint: /JWT_SECRET/ },
    'an old sign-in': { authorization: `Bearer ${signed({ id: 1, ...times }, secret)}`, status: 401, hint: /has expired: sign in again/ },
    'no JSON Web Token': { authorization: 'Bearer a.b.c', status: 401, hint: /no JSON Web Token/ },
    'another mode': {
      authorization: `Bearer ${signed({ nothing: 1, exp: 9_999_999_999 }, secret)}`,
      status: 401,
      hint: /not of the mode auth\.jwtManagement =/,
    },
    'a blocked user': { authorization: `Bearer ${bob}`, status: 401, hint: /is blocked; `lectern user unblock/ },
    'a deleted user': {
      authorization: `Bearer ${gone}`,
      status: 401,
      hint: /belongs to the user with the id 3, who is not in the database/,
    },
  };
  return requests;
}

const ask = async ({ base }: RunningServer, { authorization, method = 'GET', path = '/api/notes' }: Refused) =>
  send(base, { method, path, headers: { Authorization: authorization }, ...(method === 'POST' ? { body: { data: {} } } : {}) });

describe.each(['specification', 'strapi'])('in profile %s', (profile) => {
  it('lectern dev says who is refused, why, and what grants it, and lectern start none of it', async () => {
    const made = await projectOfTest(profile);
    const { project, env } = made;
    const production = await startServer(project.dir, env);
    const requests = await refusedRequests(made, production).catch(async (error: unknown) => {
      await production.stop();
      throw error;
    });
    const body = (status: number, name: string, code: string, message: string) =>
      JSON.stringify({ data: null, error: { status, name, ...(profile === 'strapi' ? {} : { code }), message, details: {} } });
    const bodies: Record<string, string> = {
      403: body(403, 'ForbiddenError', 'access.forbidden', 'Forbidden'),
      401: body(401, 'UnauthorizedError', 'access.credentials', 'Missing or invalid credentials'),
      'a visitor, of drafts': body(
        403,
        'ForbiddenError',
        'access.drafts',
        'Reading drafts needs the right api::page.page.findDraft (policies.draftsNeedRight)',
      ),
      'an expired token': body(401, 'UnauthorizedError', 'access.token-expired', 'Token expired'),
      'a blocked user': body(401, 'UnauthorizedError', 'access.invalid-credentials', 'Invalid credentials'),
    };
    const headersOf = new Set<string>();
    for (const [what, request] of Object.entries(requests)) {
      const response = await ask(production, request);
      expect(response.text, what).toBe(bodies[what] ?? bodies[request.status]);
      if (bodies[what] === undefined && request.status === 401) headersOf.add(Object.keys(response.headers).sort().join());
    }
    expect(headersOf.size).toBe(1);
    expect(production.output.stderr).not.toContain('lectern ');
    const { text: withoutActions } = await send(production.base, { method: 'POST', path: '/api/pages/abc/publish' });
    expect(withoutActions).not.toContain('did you mean');
    await production.stop();

    const dev = await startDev(project.dir, env);
    onTestFinished(() => dev.stop().then(() => undefined));
    for (const [what, request] of Object.entries(requests)) {
      const response = await ask(dev, request);
      const { error } = response.json() as { error: { message: string; details: { hint?: string } } };
      expect(response.status, what).toBe(request.status);
      expect(error.details.hint, what).toMatch(request.hint);
      const logged = `WARN ${String(error.details.hint)}`;
      await expect.poll(() => dev.output.stderr.replaceAll(/\s+/g, ' '), { message: what }).toContain(logged);
    }
    // A token must not get into the log.
    for (const { authorization = '' } of Object.values(requests))
      if (authorization !== '') expect(dev.output.stderr).not.toContain(authorization.replace('Bearer ', ''));
    const unrouted = await send(dev.base, { method: 'GET', path: '/api/note' });
    expect(unrouted.text).toContain('did you mean /api/notes?');
    const post = async ({ base }: RunningServer, path: string) => (await send(base, { method: 'POST', path })).text;
    expect(await post(dev, '/api/pages/abc/publish')).toContain('did you mean POST /api/pages/:documentId/actions/publish?');
    // Neither a misspelt action, nor one of a type without drafts.
    for (const path of ['/api/pages/abc/publishh', '/api/notes/abc/publish']) expect(await post(dev, path)).not.toContain('did you mean');
  });
});
