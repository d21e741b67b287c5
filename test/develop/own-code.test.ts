/** Hooks and endpoints of a project, as the commands and `lectern dev` treat them. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDev } from '../support/dev-server.ts';
import { anyEngine } from '../support/engines.ts';
import { projectOfTest } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { run } from '../support/server.ts';
import { writeFiles } from '../support/write-files.ts';

const schemas = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });
const endpoint = (text: string, path = '/greeting') => `import { defineEndpoint } from 'lectern';
console.log('loaded');
export default defineEndpoint({
  method: 'GET',
  path: '${path}',
  right: 'public',
  description: 'A greeting',
  handler: () => ({ text: '${text}' }),
});
`;
const hooks = (uid: string) => `import { defineHooks } from 'lectern';
export default defineHooks('${uid}', { before: { create: () => undefined } });
`;
const endpointFile = 'lectern/endpoints/greeting.ts';
const hookFile = 'lectern/hooks/note.ts';

describe.each(anyEngine)('%s', (engine) => {
  it('check counts hooks and endpoints, routes and openapi list the endpoints', async () => {
    const { dir, env } = await projectOfTest(engine, {
      ...schemas,
      [endpointFile]: endpoint('hello'),
      [hookFile]: hooks('api::note.note'),
    });
    const checked = await run(['check', '--dir', dir], env);
    expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('Code:          hooks of 1 content type, 1 endpoint\n') });
    const { stdout } = await run(['routes', '--dir', dir], env);
    expect(stdout).toMatch(/^GET +\/api\/greeting +lectern\/endpoints\/greeting\.ts +public$/m);
    const document = await run(['openapi', '--dir', dir], env);
    expect(JSON.parse(document.stdout).paths).toMatchObject({ '/api/greeting': { get: { summary: 'A greeting' } } });
  });

  it('check, routes and openapi name mistakes with their positions', async () => {
    const { dir, env } = await projectOfTest(engine, {
      ...schemas,
      [endpointFile]: endpoint('hello').replace("method: 'GET',", 'method: :'),
      [hookFile]: hooks('api::note.notes'),
    });
    const mistakes = [/lectern\/endpoints\/greeting\.ts:4:1\d/, /lectern\/hooks\/note\.ts: there is no content type api::note\.notes/];
    for (const command of ['check', 'routes', 'openapi']) {
      const { status, stdout, stderr } = await run([command, '--dir', dir], env);
      expect({ command, status, stdout }).toEqual({ command, status: 1, stdout: '' });
      for (const mistake of mistakes) expect(stderr).toMatch(mistake);
    }
  });

  it('dev reloads when a file below lectern/ changes; after a mistake, the former code goes on serving', async () => {
    const project = await projectOfTest(engine, schemas);
    const server = await startDev(project.dir, project.env);
    onTestFinished(server.stop);
    const text = async () => (await server.get('/api/greeting')).text;
    writeFiles(project.dir, { 'lectern/endpoints/words.txt': '' });
    expect(await server.change({ [endpointFile]: endpoint('hello') }, /Reloaded in/)).toContain(`Changed: ${endpointFile}\n`);
    expect(await text()).toBe('{"text":"hello"}');
    const broken = await server.change({ [endpointFile]: endpoint('hello').replace("right: 'public',", 'right: :') }, 'still served');
    expect(broken).toMatch(/Not reloaded: lectern\/endpoints\/greeting\.ts:6:\d+/);
    expect(await text()).toBe('{"text":"hello"}');
    const colliding = await server.change({ [endpointFile]: endpoint('hello', '/notes') }, 'still served');
    expect(colliding).toContain('would hide the route of api::note.note.find');
    expect(await text()).toBe('{"text":"hello"}');
    await server.change({ [endpointFile]: endpoint('good day') }, /Reloaded in/);
    expect(await text()).toBe('{"text":"good day"}');
  });
});
