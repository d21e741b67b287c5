/** Lists of documents in the console of the demo, and its command palette. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, type Editor, makeEditor } from './console-page.ts';

const everything = ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'];
const account = {
  'plugin::users-permissions.user': ['me'],
  'plugin::users-permissions.auth': ['logout', 'refresh'],
};

describe.skipIf(!hasChromium)('lists in /console', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let page: Page;
  let editor: Editor;
  let problems: readonly string[];
  let admin: ReturnType<typeof adminOf>;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })]);
    admin = adminOf(demo);
    editor = await makeEditor(demo, 'eva', {
      'api::article.article': everything,
      'api::category.category': everything,
      'api::author.author': ['find', 'findOne'],
      'api::tag.tag': everything,
      'plugin::upload.content-api': ['find', 'findOne'],
      ...account,
    });
    await Promise.all(Array.from({ length: 30 }, (_, at) => admin('POST', '/tags', { data: { name: `Tag ${at}`, slug: `tag-${at}` } })));
    page = await browser.context.newPage();
    page.setDefaultTimeout(10_000);
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open('/content/articles');
    await site.signIn(editor);
    await rows().first().waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));
  beforeEach(() => page.setViewportSize({ width: 1280, height: 900 }));

  const rows = () => page.locator('.list tbody tr');
  const titles = () => page.locator('.list-title').allInnerTexts();
  const cells = (name: string) =>
    page.locator('.list').evaluate((table, wanted) => {
      const [head, ...body] = (table as HTMLTableElement).rows;
      const at = [...(head?.cells ?? [])].findIndex((cell) => cell.innerText.replace(/[↑↓]/, '').trim() === wanted);
      return body.map((row) => row.cells[at]?.innerText.trim());
    }, name);
  /** As a link would. Loading the page would ask for a session each time, which is limited. */
  const visit = (path: string) =>
    page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/console${path}`);
  /** Opens the list anew, and waits for its rows, or for why there are none. */
  const open = async (path: string) => {
    await visit('');
    await page.locator('.list-page').waitFor({ state: 'detached' });
    await visit(path);
    await page.locator('.list tbody tr, .list-empty').first().waitFor();
  };
  const query = () => new URL(page.url()).searchParams;
  const filter = async (field: string, how: string, ...values: readonly string[]) => {
    await site.button('Filter');
    await page.getByLabel('Field').selectOption({ label: field });
    await page.getByLabel('Condition').selectOption({ label: how });
    for (const value of values) {
      const box = page.getByRole('dialog').getByLabel(value, { exact: true });
      const text = page.getByLabel('Value', { exact: true });
      await box.or(text).first().waitFor();
      if ((await box.count()) > 0) await box.check();
      else await text.fill(value);
    }
    await site.button('Apply');
  };

  it('shows drafts with their titles, states, links and pictures, asking for nothing else', async () => {
    const asked: URL[] = [];
    const listen = (request: { url(): string }) => asked.push(new URL(request.url()));
    page.on('request', listen);
    await open('/content/articles');
    await expect.poll(() => cells('Status')).toEqual(expect.arrayContaining(['Draft', 'Published', 'Modified']));
    await expect.poll(() => cells('Category')).toContain('Bread');
    await expect.poll(() => page.locator('.list img.list-thumb').count()).toBeGreaterThan(5);
    page.off('request', listen);
    const { data } = (await admin('GET', '/articles?status=draft&fields=title&sort=updatedAt:desc')).json;
    expect(await titles()).toEqual(data.map(({ title }: { readonly title: string }) => title));
    const reads = asked.filter(({ pathname }) => pathname === '/api/articles').map(({ searchParams }) => [...searchParams]);
    expect(reads).toHaveLength(4);
    expect(reads[0]?.filter(([name]) => name.startsWith('fields')).map(([, value]) => value)).toEqual([
      'documentId',
      'title',
      'kind',
      'updatedAt',
    ]);
  });

  it('tells the same states as the server', async () => {
    const { data } = (await admin('GET', '/articles?status=draft&fields=title&publicationFilter=modified')).json;
    await open('/content/articles?where=status.anyOf.modified');
    expect(await titles()).toEqual(data.map(({ title }: { readonly title: string }) => title));
    expect(await cells('Status')).toEqual(data.map(() => 'Modified'));
    await page.getByRole('button', { name: 'Change: Status is Modified' }).waitFor();
  });

  it('searches while one types, and goes back', async () => {
    await open('/content/articles');
    const all = await titles();
    await page.keyboard.press('/');
    await page.keyboard.type('lamp');
    await expect.poll(() => query().get('q')).toBe('lamp');
    await expect.poll(async () => (await titles()).length).toBeLessThan(all.length);
    expect(await titles()).toContain('Mending the lamp');
    await page.goBack();
    await expect.poll(titles).toEqual(all);
    await expect.poll(() => page.getByLabel('Search in Article').inputValue()).toBe('');
  });

  it('filters in words, by clicking, and keeps the filters in the address', async () => {
    await open('/content/articles');
    await filter('Category', 'is', 'Footpaths', 'Maps');
    await filter('Reading minutes', 'is over', '4');
    await page.getByRole('button', { name: 'Change: Category is Footpaths or Maps' }).waitFor();
    await expect.poll(titles).toEqual(['The blank quarter', 'Forty gates to Gannet Ness']);
    await page.reload();
    await page.getByRole('button', { name: 'Change: Reading minutes is over 4' }).waitFor();
    await page.getByRole('button', { name: 'Change: Category is Footpaths or Maps' }).waitFor();
    await expect.poll(titles).toEqual(['The blank quarter', 'Forty gates to Gannet Ness']);
    await page.getByRole('button', { name: 'Change: Reading minutes is over 4' }).click();
    await page.getByLabel('Condition').selectOption({ label: 'is under' });
    await page.getByLabel('Value', { exact: true }).fill('5');
    await site.button('Apply');
    await expect.poll(titles).toEqual(['How to fold a county']);
    await page.getByRole('button', { name: 'Remove: Category is Footpaths or Maps' }).click();
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(1);
  });

  it.each([
    ['title.startsWith.the', 'Title starts with “the”', 'filters[title][$startsWithi]=the'],
    [
      'visitedOn.between.2024-04-01.2024-04-30',
      'Visited on is between 1 Apr 2024 and 30 Apr 2024',
      'filters[visitedOn][$between][0]=2024-04-01&filters[visitedOn][$between][1]=2024-04-30',
    ],
    ['eventAt.isNotEmpty', 'Event at is not empty', 'filters[eventAt][$notNull]=true'],
    ['featured.yes', 'Featured is yes', 'filters[featured]=true'],
    ['kind.anyOf.walk.recipe', 'Kind is walk or recipe', 'filters[kind][$in][0]=walk&filters[kind][$in][1]=recipe'],
    ['related.isEmpty', 'Related is empty', 'filters[related][documentId][$null]=true'],
    ['gallery.isEmpty', 'Gallery is empty', 'filters[gallery][id][$null]=true'],
    ['updatedAt.lastDays.9999', 'Changed is in the last 9,999 days', 'filters[updatedAt][$notNull]=true'],
  ])('finds by %s what the API finds', async (where, words, filters) => {
    await open(`/content/articles?sort=title.asc&where=${where}`);
    await page.getByRole('button', { name: `Change: ${words}` }).waitFor();
    const { data } = (await admin('GET', `/articles?status=draft&fields=title&sort=title:asc&${filters}`)).json;
    expect(data.length).toBeGreaterThan(0);
    await expect.poll(titles).toEqual(data.map(({ title }: { readonly title: string }) => title));
  });

  it('says that a filter does not exist any more', async () => {
    await open('/content/articles?where=password.is.a');
    await page.getByText('A filter or the order in this address does not exist any more').waitFor();
  });

  it('sorts by a header, in both directions, and then as usual', async () => {
    await open('/content/articles');
    const usual = await titles();
    const header = page.getByRole('columnheader', { name: 'Title' });
    for (const [order, sorted] of [
      ['ascending', [...usual].sort()],
      ['descending', [...usual].sort().reverse()],
      ['none', usual],
    ] as const) {
      await header.getByRole('button').click();
      await expect.poll(() => header.getAttribute('aria-sort')).toBe(order);
      await expect.poll(titles).toEqual(sorted);
    }
  });

  it('pages, with as many rows as one likes', async () => {
    await open('/content/tags?sort=name.asc');
    const total = (await admin('GET', '/tags?status=draft')).json.meta.pagination.total;
    await page.getByText(`${total} entries`).waitFor();
    const first = await titles();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await expect.poll(async () => (await titles()).length).toBe(total - 25);
    expect(first).not.toEqual(expect.arrayContaining(await titles()));
    await page.getByLabel('Per page').selectOption('100');
    await expect.poll(async () => (await titles()).length).toBe(total);
    expect([...query()]).toEqual([
      ['sort', 'name.asc'],
      ['size', '100'],
    ]);
    await open('/content/tags?page=9');
    await page.getByRole('heading', { name: 'This page does not exist any more.' }).waitFor();
    await site.button('To the first page');
    await expect.poll(async () => (await titles()).length).toBe(25);
  });

  it('is found again by the link of a form, as it was left', async () => {
    const wanted = '?where=name.contains.Tag&sort=name.asc&size=10&page=2';
    const back = page.locator('.document-head').getByRole('link', { name: 'Tag', exact: true });
    const ways: readonly { readonly name: string; readonly into: () => Promise<void>; readonly out?: () => Promise<void> }[] = [
      { name: 'a document', into: () => rows().first().getByRole('link').click() },
      {
        name: 'a document whose page is loaded anew',
        into: async () => {
          await rows().first().getByRole('link').click();
          await back.waitFor();
          await page.reload();
        },
      },
      { name: 'a new document, whose address changes', into: () => page.getByRole('link', { name: 'New entry', exact: true }).click() },
      {
        name: 'a document that is deleted',
        into: () => rows().first().getByRole('link').click(),
        out: async () => {
          await page.getByText('More', { exact: true }).click();
          await site.button('Delete');
          await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        },
      },
    ];
    for (const { name, into, out = () => back.click() } of ways) {
      await open(`/content/tags${wanted}`);
      const before = page.url();
      await into();
      await back.waitFor();
      await out();
      await rows().first().waitFor();
      expect([name, page.url()]).toEqual([name, before]);
    }
    // Whoever comes from elsewhere gets the whole list.
    const href = await page.locator('.list-title').first().getAttribute('href');
    await visit('');
    await visit((href ?? '').replace('/console', ''));
    await expect.poll(() => back.getAttribute('href')).toBe('/console/content/tags');
  });

  it('shows another locale', async () => {
    await open('/content/articles');
    await page.getByRole('link', { name: /^French/ }).click();
    await expect.poll(titles).toContain('Ce que dit la corne de brume');
    await expect.poll(() => page.locator('.list-title').first().getAttribute('href')).toContain('?locale=fr');
  });

  it('is moved through, chosen from and opened by keyboard alone', async () => {
    await open('/content/articles');
    const all = await titles();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).innerText);
    await page.keyboard.press('j');
    expect(await focused()).toBe(all[0]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focused()).toBe(all[1]);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('3 chosen').waitFor();
    await expect.poll(() => page.locator('.is-chosen .list-title').allInnerTexts()).toEqual(all.slice(1, 4));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: all[3] ?? '' }).waitFor();
    await page.goBack();
    await rows().first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.getByLabel('Use shortcuts of a single key').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    expect(new URL(page.url()).pathname).toBe('/console/content/articles');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shortcuts');
    await page.keyboard.press('Enter');
    await page.getByLabel('Use shortcuts of a single key').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.waitForURL(/\/content\/articles\/new/);
    // A new document is unsaved work, which the page would ask about.
    await site.open('/content/articles');
    await rows().first().waitFor();
  });

  it('chooses a range with Shift, and never rows that it does not show', async () => {
    await open('/content/tags');
    await page.getByRole('checkbox').nth(2).click();
    await page
      .getByRole('checkbox')
      .nth(5)
      .click({ modifiers: ['Shift'] });
    await page.getByText('4 chosen').waitFor();
    await page.getByLabel('Choose all rows on this page').check();
    await page.getByText('25 chosen').waitFor();
    await page.getByText(/Only rows of this page are chosen, of \d+ in all/).waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await expect.poll(() => page.getByText('chosen').count()).toBe(0);
  });

  it('keeps the columns that one chooses, for each type', async () => {
    await open('/content/articles');
    const heads = () => page.locator('.list thead th').allInnerTexts();
    await site.button('Columns');
    await page.getByRole('dialog').getByLabel('Cover', { exact: true }).uncheck();
    await page.getByRole('dialog').getByLabel('Reading minutes', { exact: true }).check();
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).check();
    await site.button('Move up: Tags');
    await site.button('Done');
    const chosen = ['Title', 'Status', 'Category', 'Kind', 'Changed ↓', 'Tags', 'Reading minutes'];
    await expect.poll(async () => (await heads()).slice(1)).toEqual(chosen);
    await page.reload();
    await rows().first().waitFor();
    expect((await heads()).slice(1)).toEqual(chosen);
    await expect.poll(async () => (await cells('Tags')).join()).toContain('night');
    await site.button('Columns');
    await site.button('Usual columns');
    await site.button('Done');
    await expect.poll(heads).toContain('Cover');
  });

  it('saves a view, and shows it when the list is opened', async () => {
    await open('/content/articles?where=kind.anyOf.walk&sort=title.asc');
    await site.button('Save this view');
    await page.getByLabel('Name').fill('Walks');
    await page.getByLabel('Show it when the list is opened').check();
    await site.button('Save');
    const walks = await titles();
    await open('/content/tags');
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Article' }).click();
    await expect.poll(titles).toEqual(walks);
    expect(query().get('where')).toBe('kind.anyOf.walk');
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(walks.length);
    await site.button('Change views');
    await site.button('Remove view: Walks');
    await site.button('Done');
    await expect.poll(() => page.getByRole('navigation', { name: 'Views' }).count()).toBe(0);
  });

  it('says what to do where there is nothing', async () => {
    await open('/content/articles?q=nothing-has-this&where=kind.anyOf.walk');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await site.button('Clear search and filters');
    await rows().first().waitFor();
  });

  describe('work on several documents', () => {
    const total = async () => (await admin('GET', '/tags')).json.meta.pagination.total as number;
    const choose = async (count: number) => {
      for (let at = 1; at <= count; at++) await page.getByRole('checkbox').nth(at).check();
    };
    const hurry = () => page.clock.runFor(10_500);

    it('can be undone for ten seconds', async () => {
      const before = await total();
      await open('/content/tags?sort=name.asc&q=Tag');
      await page.clock.install();
      await choose(2);
      await site.button('Delete');
      await page.getByText('2 entries will be deleted').waitFor();
      await expect.poll(() => page.locator('.is-delete').count()).toBe(2);
      await page.clock.runFor(9000);
      await site.button('Undo');
      await hurry();
      await expect.poll(() => page.locator('.is-delete').count()).toBe(0);
      expect(await total()).toBe(before);
    });

    it('goes on while other pages are shown, and the list follows', async () => {
      const before = await total();
      await open('/content/tags?sort=name.asc&q=Tag');
      const gone = (await titles()).slice(0, 6);
      await choose(6);
      await site.button('Delete');
      await page.getByRole('link', { name: 'Start' }).click();
      await page.getByText('6 entries will be deleted').waitFor();
      await page.goBack();
      await rows().first().waitFor();
      await expect.poll(() => page.locator('.is-delete').count()).toBe(6);
      await hurry();
      await site.notice('6 entries deleted.');
      await expect.poll(async () => (await titles()).filter((title) => gone.includes(title))).toEqual([]);
      expect(await total()).toBe(before - 6);
    });

    it('names what failed, and why', async () => {
      await admin('POST', '/articles?status=draft', { data: { title: 'Unfinished', slug: 'unfinished', readingMinutes: null } });
      const { data } = (await admin('POST', '/articles?status=draft', { data: { title: 'Unfinished too' } })).json;
      await admin('PATCH', `/articles/${data.documentId}?status=draft`, { data: { slug: null } });
      await open('/content/articles?q=unfinished&sort=title.asc');
      await choose(2);
      await site.button('Publish');
      await hurry();
      const notice = page.locator('.notice.problem', { hasText: '1 entry could not be published' });
      await notice.waitFor();
      await expect.poll(() => notice.innerText()).toMatch(/Unfinished too\s+slug/);
      await site.notice('1 entry published.');
      await notice.getByRole('button', { name: 'Close' }).click();
    });

    it('publishes and unpublishes', async () => {
      await open('/content/articles?where=title.is.Mending%2520the%2520lamp');
      await expect.poll(() => cells('Status')).toEqual(['Draft']);
      for (const [action, status] of [
        ['Publish', 'Published'],
        ['Unpublish', 'Draft'],
      ] as const) {
        await choose(1);
        await site.button(action);
        await hurry();
        await site.notice(`1 entry ${action.toLowerCase()}ed.`);
        await expect.poll(() => cells('Status')).toEqual([status]);
      }
    });

    it('is not offered to those who may not', async () => {
      await open('/content/authors');
      await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
      await expect.poll(() => page.getByRole('link', { name: 'New entry' }).count()).toBe(0);
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await expect.poll(() => page.getByText('chosen').count()).toBe(0);
    });
  });

  describe('the command palette', () => {
    const options = () => page.locator('.palette-option').allInnerTexts();

    it('goes to a type, and to a document found by its title', async () => {
      await open('/content/tags');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('categ');
      await expect.poll(async () => (await options())[0]).toBe('Category');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Category' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('foghorn');
      await expect.poll(options).toEqual([expect.stringMatching(/^What the foghorn said\s+Article$/)]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'What the foghorn said' }).waitFor();
    });

    it('changes the language, and everything with it', async () => {
      await open('/content/articles');
      for (const [typed, button] of [
        ['deutsch', 'Filtern'],
        ['english', 'Filter'],
      ] as const) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(typed);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: button, exact: true }).waitFor();
      }
    });
  });

  it('has done nothing that a page must not do', () => {
    // The browser's notes about what was refused.
    expect(problems.filter((each) => !/status of 40[0145]/.test(each))).toEqual([]);
  });
});
