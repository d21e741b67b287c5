/** Typing into one of 200 fields draws no other. How long a key takes is printed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { ConsolePage } from './console-page.ts';

const types = ['string', 'text', 'integer', 'boolean', 'date', 'datetime', 'enumeration', 'email'] as const;
const attributes = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => {
    const type = types[index % types.length];
    return [`field${index}`, { type, ...(type === 'enumeration' ? { enum: ['a', 'b', 'c', 'd', 'e'] } : {}) }];
  }),
);
const text = 'Fog over Skerra, and no wind.';

describe.skipIf(!hasChromium)('a form of 200 fields', () => {
  const api = useProject('sqlite', {
    files: schemaFiles({ wide: { attributes } }),
    authenticated: [
      ...['find', 'findOne', 'create', 'update'].map((action) => `api::wide.wide.${action}`),
      'plugin::users-permissions.user.me',
    ],
    users: [ada],
    env: { JWT_SECRET: jwtSecret },
  });
  let browser: OpenBrowser;
  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 } });
    return () => browser.close();
  });

  it('draws one of them for each key, and loses none at 30 keys a second', async () => {
    const path = await api.make('/api/wides', { field0: 'x' });
    const page = await browser.context.newPage();
    const site = new ConsolePage(page, api.server.base);
    await site.open(path.replace('/api/', '/content/'));
    await site.signIn(ada);
    const control = page.locator('#field-field8');
    await control.waitFor();
    await expect.poll(() => page.locator('.field').count()).toBe(200);
    await control.focus();
    await page.keyboard.type('!');
    await page.evaluate(() => {
      // Drawing a control compares its value with that of the page, and so reads it.
      const seen = { reads: {} as Record<string, number>, longest: 0 };
      Object.assign(globalThis, { seen });
      for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement]) {
        const own = Object.getOwnPropertyDescriptor(prototype, 'value') as PropertyDescriptor;
        const get = function (this: HTMLElement) {
          seen.reads[this.id] = (seen.reads[this.id] ?? 0) + 1;
          return own.get?.call(this);
        };
        Object.defineProperty(prototype, 'value', { ...own, get });
      }
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
      }).observe({ type: 'longtask' });
    });
    await page.keyboard.type(text, { delay: 33 });
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: { reads: Record<string, number>; longest: number } }).seen);
    expect(Object.keys(seen.reads)).toEqual(['field-field8']);
    // Once by the handler, and once when it is drawn.
    expect(seen.reads['field-field8']).toBeGreaterThanOrEqual(2 * text.length);
    await expect.poll(() => control.inputValue()).toBe(`!${text}`);
    console.log(`typing into one of 200 fields: the longest task took ${seen.longest} ms (0: none above 50 ms)`);
  });
});
