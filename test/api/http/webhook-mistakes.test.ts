/** Mistakes in webhooks are reported before a message is sent: when one is added, by `lectern check` and at the start. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const files = schemaFiles({
  page: { drafts: true, localized: true, attributes: { title: { type: 'string' }, tags: relation('manyToMany', 'tag') } },
  tag: { attributes: { name: { type: 'string' } } },
});
const url = 'https://example.org/hook';
const webhook = { name: 'site', url, events: ['publish', 'create'] };

describe.each(anyEngine)('%s: mistakes in webhooks', (engine) => {
  const api = useProject(engine, { files, locales: seedLocales('en'), env: { LECTERN_EVENTS_ALLOW_PRIVATE: '10.1.0.0/16' } });
  const lectern = (args: readonly string[], env = {}) => run([...args, '--dir', api.project.dir], { ...api.environment, ...env });
  const add = (name: string, ...args: readonly string[]) =>
    lectern(['webhook', 'add', name, ...(args.includes('--url') ? [] : ['--url', url]), '--events', 'publish,create', ...args]);
  const checkedAndStarted = async (...list: readonly object[]) => {
    const env = { LECTERN_WEBHOOKS: JSON.stringify(list) };
    const checked = await lectern(['check'], env);
    const server = await api.beside(env);
    await server.stop();
    return [checked.stderr, server.output.stderr];
  };

  it('are no reason to wait for a server that does not send', async () => {
    const { stdout } = await lectern(['webhook', 'retry', 'site'], { LECTERN_WEBHOOKS: JSON.stringify([webhook]) });
    expect(stdout).toBe('0 messages will be sent again when a server runs: at present, none sends webhooks.\n');
  });

  const refusedForTag = 'the query populate=tags is refused for api::tag.tag';
  it('are found in a query, for each type whose events the webhook gets', async () => {
    expect(await add('tags', '--query', 'populate=tags')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`webhook tags: ${refusedForTag}`),
    });
    expect((await add('pages', '--query', 'populate=tags', '--types', 'api::page.page')).status).toBe(0);
    expect((await add('thin', '--query', 'populate=tags', '--payload', 'thin')).status).toBe(0);
    for (const printed of await checkedAndStarted({ ...webhook, query: 'populate=tags' })) {
      expect(printed).toContain(`Warning: webhook site: ${refusedForTag}: `);
      expect(printed).not.toMatch(/webhook (?:pages|thin)/);
    }
    const several = { ...webhook, query: 'populate=nothing', events: [...webhook.events, 'media.create'] };
    for (const printed of await checkedAndStarted(several))
      expect(printed).toMatch(/the query populate=nothing is refused for \S+ \(and for 2 other types\): \w/);
  });

  it('that a change of the schema has made are warnings, and prevent no start', async () => {
    await api.change(
      `UPDATE lectern_webhooks SET definition = '${JSON.stringify({ ...webhook, name: 'pages', query: 'populate=gone' })}' WHERE "key" = 'own:pages'`,
    );
    for (const printed of await checkedAndStarted()) expect(printed).toContain('webhook pages: the query populate=gone is refused for');
  });

  it('are found in a URL with an IP address that is not public and not permitted', async () => {
    const warning = 'url: 169.254.169.254 is not a public IP address';
    const added = await add('inside', '--url', 'http://169.254.169.254/latest');
    expect(added).toMatchObject({ status: 0, stderr: expect.stringContaining(`Warning: webhook inside: ${warning}`) });
    expect((await add('permitted', '--url', 'http://10.1.2.3/hook')).stderr).not.toContain('Warning');
    for (const printed of await checkedAndStarted({ ...webhook, url: 'http://169.254.169.254/' })) {
      expect(printed).toContain(`Warning: webhook site: ${warning}`);
      expect(printed).toContain(`Warning: webhook inside: ${warning}`);
      expect(printed).not.toContain('webhook permitted');
    }
  });

  it('are found in a role that does not exist: in the configuration it prevents the start', async () => {
    const wrong = { ...webhook, as: 'nobody' };
    const checked = await lectern(['check'], { LECTERN_WEBHOOKS: JSON.stringify([wrong]) });
    expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining('webhook site: as: there is no role "nobody"')]);
    await api.change(`UPDATE lectern_webhooks SET definition = '${JSON.stringify({ ...wrong, name: 'pages' })}' WHERE "key" = 'own:pages'`);
    for (const printed of await checkedAndStarted(webhook))
      expect(printed).toContain('Warning: webhook pages: as: there is no role "nobody"');
  });
});
