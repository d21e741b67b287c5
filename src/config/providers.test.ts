import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';

const good = { issuer: 'https://login.example.org', clientId: 'lectern', callbacks: ['https://app.example.org/signed-in'] };
const required = { PUBLIC_URL: 'https://api.example.org', JWT_SECRET: 'secret' };

describe('auth.providers', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lectern-providers-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  function load(providers: unknown, environment: Readonly<Record<string, string>> = required) {
    writeFileSync(join(dir, 'lectern.config.json'), JSON.stringify({ auth: { providers } }));
    return loadConfig({ dir, environment, overrides: {} });
  }
  const problems = (providers: unknown, environment = required as Readonly<Record<string, string>>) => {
    const loaded = load(providers, environment);
    return loaded.ok ? '' : loaded.errors.join('\n');
  };

  it('has a default for all but three keys, and the secret from the environment', () => {
    const loaded = load({ 'my-company': good }, { ...required, LECTERN_AUTH_PROVIDERS_MY_COMPANY_CLIENT_SECRET: 'hidden' });
    expect(loaded.ok && loaded.warnings.filter((warning) => warning.includes('PROVIDERS'))).toEqual([]);
    expect(loaded.ok && loaded.config.auth.providers).toEqual({
      'my-company': {
        name: 'my-company',
        label: 'my-company',
        ...good,
        clientSecret: 'hidden',
        scope: 'openid profile email',
        register: true,
        role: undefined,
        usernameClaims: ['preferred_username', 'nickname', 'name'],
        trustEmail: false,
        linkByEmail: false,
      },
    });
  });

  it('can be set in a variable', () => {
    const loaded = loadConfig({
      dir,
      environment: { ...required, LECTERN_AUTH_PROVIDERS: JSON.stringify({ company: good }) },
      overrides: {},
    });
    expect(loaded.ok && loaded.config.auth.providers.company?.issuer).toBe(good.issuer);
    const broken = loadConfig({ dir, environment: { ...required, LECTERN_AUTH_PROVIDERS: '{"company":' }, overrides: {} });
    expect(broken.ok ? '' : broken.errors[0]).toMatch(
      /^LECTERN_AUTH_PROVIDERS is set to a value that is not shown, but must be an object of OpenID/,
    );
  });

  it.each([
    ['an issuer by plain HTTP', { issuer: 'http://login.example.org' }, 'company.issuer must be the provider’s issuer'],
    ['an issuer with a name and a password', { issuer: 'https://a:b@login.example.org' }, 'company.issuer must be'],
    ['no issuer', { issuer: undefined }, 'company.issuer must be'],
    ['no client', { clientId: undefined }, 'company.clientId must be a text'],
    ['no callback', { callbacks: [] }, 'company.callbacks must be a list of https URLs'],
    ['a callback that is no list', { callbacks: 'https://app.example.org/' }, 'company.callbacks must be'],
    ['a callback that is a script', { callbacks: ['javascript:alert(1)'] }, 'company.callbacks must be'],
    ['a callback by plain HTTP', { callbacks: ['http://app.example.org/'] }, 'company.callbacks must be'],
    ['a callback with a query', { callbacks: ['https://app.example.org/?a=b'] }, 'company.callbacks must be'],
    ['a callback with an empty fragment', { callbacks: ['https://app.example.org/#'] }, 'company.callbacks must be'],
    ['a callback that a browser writes otherwise', { callbacks: ['https://app.example.org'] }, 'as a browser shows them'],
    ['a scope without openid', { scope: 'profile email' }, 'company.scope must be scopes separated by spaces, with openid among them'],
    ['a text for true', { linkByEmail: 'true' }, 'company.linkByEmail must be true or false'],
    ['a key that is unknown', { redirect: 'x' }, 'company.redirect is an unknown key; the known ones are label, issuer'],
  ])('refuses %s', (_, more, problem) => {
    expect(problems({ company: { ...good, ...more } })).toContain(problem);
  });

  it('refuses a secret in the file, and does not repeat it', () => {
    const reported = problems({ company: { ...good, clientSecret: 'very-secret' } });
    expect(reported).toContain('company.clientSecret must not be here');
    expect(reported).toContain('LECTERN_AUTH_PROVIDERS_COMPANY_CLIENT_SECRET');
    expect(reported).not.toContain('very-secret');
  });

  it.each(['local', 'email', 'Company', 'a/b', '__proto__', '', 'a b'])('refuses the name %j', (name) => {
    const text = `{"auth":{"providers":{${JSON.stringify(name)}:${JSON.stringify(good)}}}}`;
    writeFileSync(join(dir, 'lectern.config.json'), text);
    const loaded = loadConfig({ dir, environment: required, overrides: {} });
    expect(loaded.ok ? '' : loaded.errors.join()).toContain(`"${name}" is not a valid name`);
  });

  it('accepts http for this machine', () => {
    expect(problems({ company: { ...good, issuer: 'http://localhost:9000', callbacks: ['http://127.0.0.1:3000/in'] } })).toBe('');
  });

  it('needs the URL of the server and the secret of tokens', () => {
    expect(problems({ company: good }, { JWT_SECRET: 'secret' })).toMatch(/auth\.providers needs url \(PUBLIC_URL\)/);
    expect(problems({ company: good }, { PUBLIC_URL: 'https://api.example.org' })).toMatch(/auth\.providers needs JWT_SECRET/);
  });
});
