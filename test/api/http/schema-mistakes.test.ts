/** Mistakes in schema files with which the server starts: a start warns of them, and for `lectern check` they are problems. */
import { expect, it } from 'vitest';
import { projectOfTest } from '../../support/project.ts';
import { run, serverOfTest } from '../../support/server.ts';

const file = 'src/api/note/content-types/note/schema.json';
const stray = 'src/api/tag/schema.json';
const schema = `{
  "$schema": "../../../../../node_modules/lectern/schema/content-type.json",
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note" },
  "options": { "draftAndPublsh": true },
  "attributes": {
    "title": { "type": "string", "requird": true },
    "slug": { "type": "uid", "targetField": "nope" }
  }
}`;
const files = { [file]: schema, [stray]: { info: { singularName: 'tag', pluralName: 'tags' }, attributes: {} } };
const lines = [
  `${stray}:1:1: this schema file is in a folder where it is not read. Move it to src/api/tag/content-types/tag/schema.json`,
  `${file}:4:16: options.draftAndPublsh: unknown key "draftAndPublsh". Did you mean "draftAndPublish"?`,
  `${file}:6:34: attributes.title.requird: unknown key "requird". Did you mean "required"?`,
  `${file}:7:30: attributes.slug.targetField: api::note.note has no attribute "nope". One of title`,
];

it.each(['specification', 'strapi'])(
  'profile %s starts with them and warns of each, and `check` fails because of them',
  async (profile) => {
    const { dir, env } = await projectOfTest('sqlite', files);
    const server = await serverOfTest(dir, { ...env, LECTERN_PROFILE: profile });
    expect(server.output.stderr).toContain(lines.map((line) => `Warning: ${line}\n`).join(''));
    expect((await server.get('/api/notes')).status).toBe(403);
    const { status, stdout, stderr } = await run(['check', '--dir', dir], { ...env, LECTERN_PROFILE: profile });
    expect(stderr).toContain(
      `The server starts, and warns of 4 mistakes in the schema files:\n${lines.map((line) => `  - ${line}\n`).join('')}`,
    );
    expect(stdout).not.toContain('No problems found');
    expect(status).toBe(1);
  },
);

it('`check` lists them after what prevents a start', async () => {
  const broken = { 'src/components/shared/seo.json': '{\n  "collectionName": "seos",\n}' };
  const { dir, env } = await projectOfTest('sqlite', { ...files, ...broken });
  const { status, stderr } = await run(['check', '--dir', dir], env);
  const first = 'src/components/shared/seo.json:3:1: not valid JSON: a key in double quotes is expected. Correct the JSON there';
  expect(stderr).toContain(`Lectern cannot go on; 5 problems:\n${[first, ...lines].map((line) => `  - ${line}\n`).join('')}`);
  expect(status).toBe(1);
});
