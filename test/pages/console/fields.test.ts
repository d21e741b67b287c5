/** Each type of field, both ways against the API: what is stored is shown, and what is typed is stored. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { watchPage } from '../watch-page.ts';
import { ConsolePage } from './console-page.ts';
import { everyField, everyRight } from './every-field.ts';

const stored = {
  title: 'Fog over Skerra',
  slug: 'fog-over-skerra',
  summary: 'A calm day.',
  mail: 'ines@example.org',
  count: 3,
  serial: '9007199254740993',
  ratio: 0.1,
  price: 12.5,
  visible: true,
  checked: null,
  size: 'medium',
  month: 'May',
  day: '2024-05-01',
  clock: '12:30:15.250',
  moment: '2024-05-01T10:30:00.000Z',
  stamp: '1714559415250',
  seo: { metaTitle: 'Fog' },
  steps: [{ label: 'Knead', minutes: 10, leaves: [{ name: 'Oak' }] }, { label: 'Rest' }, { label: 'Bake' }],
  zone: [{ __component: 'part.quote', words: 'You keep the stairs.' }],
} as const;

describe.skipIf(!hasChromium)('the fields of /console', () => {
  const api = useProject('sqlite', {
    files: everyField,
    locales: seedLocales('en', 'de', 'ar'),
    authenticated: everyRight,
    users: [ada],
    env: { JWT_SECRET: jwtSecret },
  });
  let browser: OpenBrowser;
  let site: ConsolePage;
  let page: Page;
  let problems: readonly string[];
  /** `/api/things/…` */
  let path: string;
  const tags: string[] = [];
  let ines = '';
  let emrys = '';

  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
    const idOf = (made: string) => made.split('/').at(-1) ?? '';
    for (let number = 0; number < 25; number += 1)
      tags.push(idOf(await api.make(`/api/tags?status=${number === 1 ? 'draft' : 'published'}`, { name: `Tag ${number}` })));
    [ines, emrys] = [
      idOf(await api.make('/api/people', { name: 'Ines Calloway' })),
      idOf(await api.make('/api/people', { name: 'Emrys Vane' })),
    ];
    await api.make('/api/things?status=draft', { title: 'Taken', slug: 'rain-at-noon' });
    path = await api.make('/api/things?status=draft', {
      ...stored,
      tags: tags.slice(0, 3),
      owner: ines,
      subject: { __type: 'api::person.person', documentId: emrys },
      mentions: [{ __type: 'api::tag.tag', documentId: tags[0] }],
    });
    page = await browser.context.newPage();
    page.setDefaultTimeout(10_000);
    ({ problems } = await watchPage(page, api.server.base));
    site = new ConsolePage(page, api.server.base);
    await open();
    await site.signIn(ada);
    await control('title').waitFor();
  });
  afterAll(() => browser?.close());

  const open = () => site.open(path.replace('/api/', '/content/'));
  const control = (name: string): Locator => page.locator(`[id="field-${name}"]`);
  /** The draft as it is stored. */
  const draft = (populate = '') => api.read(`${path}?status=draft${populate === '' ? '' : `&${populate}`}`);
  const save = async () => {
    const response = page.waitForResponse((each) => each.request().method() === 'PATCH');
    await site.button('Save draft');
    const { status, text } = { status: (await response).status(), text: await (await response).text() };
    if (status !== 200) throw new Error(`not saved: ${status} ${text}`);
    await page.getByRole('button', { name: 'Save draft', disabled: true }).waitFor();
  };
  const named = (populated: unknown, name = 'name') => (populated as readonly Json[]).map((each) => each[name]);

  interface Case {
    readonly field: string;
    readonly shows: string;
    readonly type: string | (() => Promise<unknown>);
    readonly stores: unknown;
  }
  const cases: readonly Case[] = [
    { field: 'title', shows: 'Fog over Skerra', type: 'Rain at noon', stores: 'Rain at noon' },
    { field: 'summary', shows: 'A calm day.', type: 'Two\nlines', stores: 'Two\nlines' },
    { field: 'mail', shows: 'ines@example.org', type: 'e@example.org', stores: 'e@example.org' },
    { field: 'count', shows: '3', type: '0042', stores: 42 },
    { field: 'serial', shows: '9007199254740993', type: '-9223372036854775808', stores: '-9223372036854775808' },
    { field: 'ratio', shows: '0.1', type: '2.5e-3', stores: 0.0025 },
    { field: 'price', shows: '12.5', type: '', stores: null },
    { field: 'day', shows: '2024-05-01', type: '2026-11-28', stores: '2026-11-28' },
    { field: 'clock', shows: '12:30:15.250', type: '13:31:15.250', stores: '13:31:15.250' },
    { field: 'moment', shows: '2024-05-01T12:30', type: '2024-12-01T12:30', stores: '2024-12-01T11:30:00.000Z' },
    { field: 'stamp', shows: '2024-05-01T12:30:15.25', type: '2024-05-01T12:31:15.25', stores: '1714559475250' },
    { field: 'month', shows: 'May', type: () => control('month').selectOption('June'), stores: 'June' },
    { field: 'visible', shows: 'on', type: () => control('visible').uncheck(), stores: false },
  ];

  it('show what is stored', async () => {
    for (const { field, shows } of cases) expect([field, await control(field).inputValue()]).toEqual([field, shows]);
    await expect.poll(() => control('visible').isChecked()).toBe(true);
    await expect.poll(() => control('checked').getByLabel('Not set').isChecked()).toBe(true);
    await expect.poll(() => control('size').getByLabel('medium').isChecked()).toBe(true);
    await expect.poll(() => control('pin').inputValue()).toBe('');
    await expect.poll(() => page.getByText('Europe/Berlin, UTC+2').count()).toBe(2);
    await expect.poll(() => page.getByText('15 of 60 characters').count()).toBe(1);
  });

  it('store what is typed, and nothing else', async () => {
    for (const { field, type } of cases) {
      if (typeof type === 'string') await control(field).fill(type);
      else await type();
    }
    await control('checked').getByLabel('No', { exact: true }).check();
    await control('size').getByLabel('Not set').check();
    await control('pin').fill('Sesame-1');
    await save();
    const now = await draft();
    expect(now).toMatchObject({
      ...Object.fromEntries(cases.map(({ field, stores }) => [field, stores])),
      checked: false,
      size: null,
      slug: 'fog-over-skerra',
    });
    await expect.poll(() => control('pin').inputValue()).toBe('');
    const [[hash] = []] = await api.query('SELECT pin FROM things WHERE published_at IS NULL AND pin IS NOT NULL');
    expect(String(hash)).toMatch(/^\$2/);
  });

  it('what is no value is told, stays as it was typed, and is not sent', async () => {
    await control('count').fill('12x');
    await control('price').fill('1,000');
    await control('price').blur();
    await expect.poll(() => control('count--problem').innerText()).toBe('This is not a whole number.');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => control('price').getAttribute('aria-invalid')).toBe('true');
    await site.button('Save draft');
    await page.getByRole('alert').getByText('2 things to correct').waitFor();
    await expect.poll(() => control('count').inputValue()).toBe('12x');
    expect((await draft()).count).toBe(42);
    await control('count').fill('7');
    await control('price').fill('9.5');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await save();
    expect(await draft()).toMatchObject({ count: 7, price: 9.5 });
  });

  it('an amount has its currency beside it, and lists show it as one', async () => {
    await expect.poll(() => control('price').getAttribute('aria-describedby')).toBe('field-price--currency');
    await expect.poll(() => control('price--currency').innerText()).toBe('EUR');
    await expect.poll(() => control('ratio').getAttribute('aria-describedby')).toBe(null);
    await site.open('/content/things');
    await site.button('Columns');
    for (const name of ['Price', 'Serial', 'Ratio']) await page.getByRole('dialog').getByLabel(name, { exact: true }).check();
    await site.button('Done');
    const row = page.getByRole('row', { name: 'Rain at noon' });
    for (const amount of ['€9.50', '-JP¥9,223,372,036,854,775,808', '0.0025']) await row.getByText(amount, { exact: true }).waitFor();
    await open();
  });

  it('a uid is made as the server would, and says who has it', async () => {
    await control('slug').fill('rain-at-noon');
    await page.getByText('Already used by').waitFor();
    await expect.poll(() => page.locator('.uid-free a').innerText()).toBe('Taken');
    await page.getByRole('button', { name: 'Make from Title' }).click();
    await expect.poll(() => control('slug').inputValue()).toBe('rain-at-noon-1');
    await page.getByText('Free.').waitFor();
    await save();
    expect((await draft()).slug).toBe('rain-at-noon-1');
  });

  it('links are found, ordered by keys and removed; links of others stay', async () => {
    const field = control('tags');
    await expect.poll(() => field.locator('.link-title a').allInnerTexts()).toEqual(['Tag 0', 'Tag 1', 'Tag 2']);
    await field.locator('li', { hasText: 'Tag 1' }).getByText('Draft').waitFor();
    const search = field.getByRole('combobox');
    await search.fill('tag 20');
    await page.getByRole('option', { name: 'Tag 20', exact: true }).waitFor();
    await search.press('Enter');
    await field.getByRole('button', { name: 'Move Tag 20', exact: true }).press('Home');
    await expect.poll(() => field.locator('.link-title a').allInnerTexts()).toEqual(['Tag 20', 'Tag 0', 'Tag 1', 'Tag 2']);
    await expect.poll(() => field.getByRole('status').first().innerText()).toBe('Tag 20: now 1 of 4');
    await field.getByRole('button', { name: 'Remove: Tag 1', exact: true }).click();
    // From the other side, which leaves the entity tag as it is, and from this one.
    await api.write('PATCH', `/api/tags/${tags[8]}?status=draft`, { things: { connect: [path.split('/').at(-1)] } });
    await save();
    await expect.poll(() => field.locator('.link-title a').allInnerTexts()).toEqual(['Tag 20', 'Tag 0', 'Tag 2', 'Tag 8']);
    await api.write('PATCH', `${path}?status=draft`, { tags: { connect: [tags[9]] } });
    await field.getByRole('button', { name: 'Remove: Tag 0', exact: true }).click();
    await site.button('Save draft');
    await expect.poll(() => field.locator('.link-title a').allInnerTexts()).toEqual(['Tag 20', 'Tag 2', 'Tag 8', 'Tag 9']);
    await expect.poll(async () => named((await draft('populate[tags][fields]=name')).tags)).toEqual(['Tag 20', 'Tag 2', 'Tag 8', 'Tag 9']);
  });

  it('several are chosen from a drawer, and a new one is made in place', async () => {
    const field = control('tags');
    await field.getByRole('button', { name: /^Browse/ }).click();
    for (const name of ['Tag 11', 'Tag 12']) await page.getByRole('checkbox', { name, exact: true }).check();
    await site.button('Add 2');
    const search = field.getByRole('combobox');
    await search.fill('Harbour');
    await page.getByRole('option', { name: 'New: tag “Harbour”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish and link' }).click();
    await field.getByRole('link', { name: 'Harbour' }).waitFor();
    await save();
    const names = named((await draft('populate[tags][fields]=name')).tags);
    expect(names.slice(-3)).toEqual(['Tag 11', 'Tag 12', 'Harbour']);
  });

  it('a link to one is replaced, and one to any type has its type chosen first', async () => {
    const choose = async (field: string, text: string) => {
      await control(field).getByRole('combobox', { name: 'Search' }).fill(text);
      await page.getByRole('option', { name: text, exact: true }).click();
    };
    await choose('owner', 'Emrys Vane');
    await control('subject').getByRole('combobox', { name: 'Type' }).selectOption('api::tag.tag');
    await choose('subject', 'Tag 5');
    await choose('mentions', 'Emrys Vane');
    await choose('relatedTo', 'Taken');
    await save();
    const now = await draft('populate[owner]=true&populate[subject]=true&populate[mentions]=true&populate[relatedTo]=true');
    expect(now).toMatchObject({
      owner: { name: 'Emrys Vane' },
      subject: { name: 'Tag 5', __type: 'api::tag.tag' },
      relatedTo: { title: 'Taken' },
    });
    expect(named(now.mentions)).toEqual(['Tag 0', 'Emrys Vane']);
  });

  it('components are folded, and drawn when they are opened', async () => {
    const steps = control('steps');
    await expect.poll(() => steps.locator('.entry-title').allInnerTexts()).toEqual(['Knead', 'Rest', 'Bake']);
    await expect.poll(() => steps.locator('input').count()).toBe(0);
    await control('steps.0').click();
    await control('steps.0.leaves').getByRole('button', { name: /^Add/ }).click();
    await control('steps.0.leaves.1.name').fill('Ash');
    await expect.poll(() => control('steps.0.leaves').locator('.entry-title').allInnerTexts()).toEqual(['Oak', 'Ash']);
    await save();
    // What is open stays open, although it has another id now.
    await expect.poll(() => control('steps.0.leaves.1.name').inputValue()).toBe('Ash');
    const now = await draft('populate[steps][populate]=*');
    expect(named((now.steps as readonly Json[])[0]?.leaves)).toEqual(['Oak', 'Ash']);
    expect((now.steps as readonly Json[])[0]).toMatchObject({ label: 'Knead', minutes: 10 });
  });

  it('they are duplicated, moved, and removed with an undo', async () => {
    const steps = control('steps');
    const titles = () => steps.locator(':scope > ul > li > .entry-head .entry-title').allInnerTexts();
    const more = async (entry: string, action: string) => {
      await steps
        .locator('summary', { hasText: '⋯' })
        .and(page.getByLabel(`More for ${entry}`))
        .click();
      await steps.locator('details[open]').getByRole('button', { name: action, exact: true }).click();
    };
    await more('step 2: Rest', 'Duplicate');
    await expect.poll(titles).toEqual(['Knead', 'Rest', 'Rest', 'Bake']);
    await page.getByText('4 of at most 4').waitFor();
    await expect.poll(() => steps.getByRole('button', { name: 'Add step – Steps' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Move up: step 4: Bake' }).click();
    await expect.poll(titles).toEqual(['Knead', 'Rest', 'Bake', 'Rest']);
    await more('step 1: Knead', 'Remove');
    await expect.poll(titles).toEqual(['Rest', 'Bake', 'Rest']);
    await page.locator('.notice', { hasText: 'Removed: step 1: Knead' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(titles).toEqual(['Knead', 'Rest', 'Bake', 'Rest']);
    await save();
    const now = (await draft('populate[steps][populate]=leaves')).steps as readonly Json[];
    expect(named(now, 'label')).toEqual(['Knead', 'Rest', 'Bake', 'Rest']);
    expect(named(now[0]?.leaves)).toEqual(['Oak', 'Ash']);
  });

  it('one is copied into a zone, where the kinds are chosen from a list', async () => {
    const zone = control('zone');
    expect(await zone.getByRole('button', { name: /^Paste/ }).count()).toBe(0);
    await control('steps').getByLabel('More for step 1: Knead').click();
    await control('steps').locator('details[open]').getByRole('button', { name: 'Copy', exact: true }).click();
    await zone.getByRole('button', { name: 'Paste “step” – Zone' }).click();
    await zone.getByRole('button', { name: 'Add to Zone' }).click();
    await zone.getByRole('button', { name: 'Quote Words of somebody' }).click();
    await control('zone.2.words').fill('Fog knows no hurry.');
    await save();
    const now = (await draft('populate[zone][populate]=*')).zone as readonly Json[];
    expect(now.map(({ __component, words, label }) => [__component, words ?? label])).toEqual([
      ['part.quote', 'You keep the stairs.'],
      ['part.step', 'Knead'],
      ['part.quote', 'Fog knows no hurry.'],
    ]);
    expect(named(now[1]?.leaves)).toEqual(['Oak', 'Ash']);
  });

  it('a problem within a folded component is said on its head, and it opens to show it', async () => {
    await open();
    await control('steps.1').click();
    await control('steps.1.minutes').fill('soon');
    await control('steps.1').click();
    await site.button('Save draft');
    await control('steps.1').getByText('1 thing to correct').waitFor();
    await page.getByRole('alert').getByRole('button').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-steps.1.minutes');
    await control('steps.1.minutes').fill('5');
    await save();
    expect(((await draft('populate=steps')).steps as readonly Json[])[1]).toMatchObject({ label: 'Rest', minutes: 5 });
  });

  it('of a list of links that is too long to be read, the number is said', async () => {
    const many: string[] = [];
    for (let number = 0; number < 110; number += 1)
      many.push((await api.make('/api/tags', { name: `Many ${number}` })).split('/').at(-1) ?? '');
    const made = await api.make('/api/things?status=draft', { title: 'Of many tags', tags: many });
    const { base } = await api.beside({ LECTERN_LIMITS_ROWS: '100' });
    const other = await browser.context.newPage();
    other.setDefaultTimeout(10_000);
    const there = new ConsolePage(other, base);
    await there.open(made.replace('/api/', '/content/'));
    await there.signIn(ada);
    await other.getByText('110 linked documents: too many to be shown here').waitFor();
    await other.locator('#field-summary').fill('Still edited');
    await there.button('Save draft');
    await there.notice('Saved.');
    const { summary, tags: linked } = await api.read(`${made}?status=draft&populate[tags][count]=true`);
    expect({ summary, linked }).toEqual({ summary: 'Still edited', linked: { count: 110 } });
    await other.close();
  });

  it('another locale is beside the fields that differ, as it was when it was chosen', async () => {
    const two = await api.make('/api/things?status=draft', { title: 'Fog', summary: 'Calm' });
    await api.write('PATCH', `${two}?status=draft&locale=ar`, { title: 'ضباب', steps: [{ label: 'عجن', minutes: 10 }] });
    await site.open(two.replace('/api/', '/content/'));
    const choose = async () => {
      await page.getByText('Show beside…').click();
      await page.locator('details[open]').getByRole('button', { name: 'Arabic (ar)' }).click();
    };
    const other = (label: string) => page.getByRole('group', { name: `${label} – Arabic (ar)`, exact: true });
    await choose();
    await other('Title').getByText('ضباب').waitFor();
    await expect.poll(() => other('Steps').locator('p').innerText()).toContain('عجن');
    await expect.poll(() => other('Summary').count()).toBe(0);
    await expect.poll(() => other('Slug').getByRole('button').count()).toBe(0);
    const { direction, lang } = await other('Title')
      .locator('p')
      .evaluate((text) => ({ direction: getComputedStyle(text).direction, lang: text.getAttribute('lang') }));
    expect({ direction, lang }).toEqual({ direction: 'rtl', lang: 'ar' });
    const isBeside = async () => {
      const [field, box] = [await control('title').boundingBox(), await other('Title').boundingBox()];
      return (box?.x ?? 0) > (field?.x ?? 0) + (field?.width ?? 0);
    };
    await expect.poll(isBeside).toBe(true);
    await page.setViewportSize({ width: 390, height: 900 });
    await expect.poll(isBeside).toBe(false);
    // A list that opens at the end of a phone's screen comes into view.
    const search = control('tags').getByRole('combobox');
    await search.evaluate((input) => input.scrollIntoView({ block: 'end' }));
    await search.click();
    const list = control('tags').locator('[role=listbox][aria-busy=false]');
    await expect.poll(() => list.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await search.press('Escape');
    await page.setViewportSize({ width: 1280, height: 900 });

    await control('title').fill('Thick fog');
    await other('Title').getByRole('button', { name: 'Use this' }).click();
    await expect.poll(() => control('title').inputValue()).toBe('ضباب');
    await page.locator('.notice', { hasText: 'Filled from Arabic (ar)' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => control('title').inputValue()).toBe('Thick fog');
    await api.write('PATCH', `${two}?status=draft&locale=ar`, { title: 'مطر' });
    await other('Steps').getByRole('button', { name: 'Use this' }).click();
    await expect.poll(() => control('steps').locator('.entry-title').allInnerTexts()).toEqual(['عجن']);
    await expect.poll(() => other('Title').locator('p').innerText()).toBe('ضباب');
    await choose();
    await expect.poll(() => other('Title').locator('p').innerText()).toBe('مطر');
    await save();
    expect(await api.read(`${two}?status=draft&populate=steps`)).toMatchObject({
      title: 'Thick fog',
      steps: [{ label: 'عجن', minutes: 10 }],
    });
    await site.button('Hide Arabic (ar)');
    await expect.poll(() => other('Title').count()).toBe(0);
  });

  it('nothing was asked of other origins, and no policy was violated', () => {
    // A write that was refused (412) is one that a test provokes.
    expect(problems.filter((each) => !/Failed to load resource: .* 4\d\d/.test(each))).toEqual([]);
  });
});
