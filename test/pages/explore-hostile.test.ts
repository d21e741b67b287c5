/** `/explore` on content and names that try to be markup, and that are too long. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openBrowser } from '../support/chromium.ts';
import { anyEngine } from '../support/engines.ts';
import { relation, schemaFiles } from '../support/schema-files.ts';
import { seedDocuments } from '../support/seeds.ts';
import { useProject } from '../support/served-project.ts';
import { useMade } from '../support/use-made.ts';
import { ExplorePage } from './explore-page.ts';
import { watchPage } from './watch-page.ts';

const markup = `</script><script>alert(1)</script><img src=x onerror=alert(2)>`;
const longText = 'x'.repeat(300_000);
const displayName = `"><img src=x onerror=alert(3)> 'quoted'`;

const files = schemaFiles({
  note: { attributes: { title: { type: 'text' }, body: { type: 'text' }, kind: { type: 'enumeration', enum: ['a"b', '<b>'] } } },
  hidden: { attributes: { codeName: { type: 'string' }, note: relation('manyToOne', 'note') } },
});
const path = 'src/api/note/content-types/note/schema.json';
const schema = files[path] as { info: object };
const named = { ...files, [path]: { ...schema, info: { ...schema.info, displayName } } };
const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, { title: `${markup} ${index}` }]));

describe.skipIf(!hasChromium).each(anyEngine)('%s: /explore, with hostile content', (engine) => {
  const api = useProject(engine, {
    files: named,
    types: [{ type: 'api::note.note', documents: seedDocuments({ ...many, long: { title: 'long', body: longText } }) }],
    public: ['api::note.note.find'],
  });
  const browser = useMade(openBrowser);
  let explore: ExplorePage;
  let problems: string[];
  const dialogs: string[] = [];

  beforeAll(async () => {
    const page = await browser().context.newPage();
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    ({ problems } = await watchPage(page, api.server.base));
    explore = new ExplorePage(page, api.server.base);
  });

  it('shows markup as text', async () => {
    await explore.open(`/api/notes?filters[title][$contains]=${encodeURIComponent('<script>')}&pagination[pageSize]=2`);
    expect(await explore.page.locator('.json').innerText()).toContain(JSON.stringify(`${markup} 0`));
    expect(await explore.page.locator('#page script, #page img').count()).toBe(0);
    expect(await explore.page.locator('option', { hasText: 'quoted' }).textContent()).toBe(`${displayName} · /api/notes`);
  });

  it('a link cannot bring markup either', async () => {
    await explore.open(`/api/notes?filters[$not][title][$eq]=${encodeURIComponent(markup)}`);
    expect(await explore.page.locator('#page script, #page img').count()).toBe(0);
  });

  it('shows the beginning of a long text, and the first lines of a long response', async () => {
    await explore.open('/api/notes?filters[title][$eq]=long');
    expect(await explore.page.locator('.json').innerText()).toContain('298000 more characters');
    await explore.open('/api/notes?pagination[pageSize]=100');
    expect(await explore.page.locator('.json .line').count()).toBe(400);
    await explore.page.getByRole('button', { name: /^Show all/ }).click();
    expect(JSON.parse(await explore.page.locator('pre.json').innerText())).toEqual(await explore.fetched());
  });

  it('offers no type without rights', async () => {
    expect(await explore.control('Type').locator('option').count()).toBe(1);
    expect(await explore.page.content()).not.toContain('codeName');
    expect(await explore.page.getByRole('tab', { name: 'Statements' }).count()).toBe(0);
  });

  it('has run nothing', () => {
    expect({ dialogs, problems }).toEqual({ dialogs: [], problems: [] });
  });
});
