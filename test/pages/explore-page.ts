/** The page `/explore`, as tests see it. */
import type { Locator, Page } from 'playwright-core';

export class ExplorePage {
  readonly page: Page;
  readonly #base: string;

  constructor(page: Page, base: string) {
    this.page = page;
    this.#base = base;
  }

  /** Opens the page, with the query of a URL, and waits for its response. */
  async open(url = ''): Promise<void> {
    // Only another path loads the page anew.
    await this.page.goto('about:blank');
    await this.page.goto(`${this.#base}/explore${url === '' ? '' : `#${encodeURI(url)}`}`);
    await this.page.locator('.facts').waitFor();
  }

  control(name: string): Locator {
    return this.page.getByLabel(name, { exact: true }).and(this.page.locator('input, select, textarea, button'));
  }

  url(): Promise<string> {
    return this.control('URL').inputValue();
  }

  /** Runs the query by its button, and waits for the response to the URL in the field. */
  async run(): Promise<void> {
    const url = await this.url();
    const response = this.page.waitForResponse((each) => new URL(each.url()).pathname.startsWith('/api/'));
    await this.page.getByRole('button', { name: /^Run/ }).click();
    await response;
    await this.shown(url);
  }

  /** Puts the URL with its origin into the field, and waits for its response. */
  async paste(url: string): Promise<void> {
    await this.control('URL').fill(`${this.#base}${url}`);
    await this.page.keyboard.press('Enter');
    await this.shown(url);
  }

  /** Waits until the response to this URL is shown. */
  async shown(url: string): Promise<void> {
    await this.page.locator(`.result[data-url=${JSON.stringify(url)}]`).waitFor();
  }

  /** The JSON as it is shown, without the buttons that fold it. */
  async json(): Promise<unknown> {
    const text = await this.page.locator('.json').evaluate((element) => {
      const copy = element.cloneNode(true) as HTMLElement;
      for (const button of copy.querySelectorAll('button')) button.remove();
      return copy.textContent ?? '';
    });
    return JSON.parse(text);
  }

  async fetched(token = ''): Promise<unknown> {
    const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
    return (await fetch(`${this.#base}${await this.url()}`, { headers })).json();
  }

  async code(language: string): Promise<string> {
    await this.page.getByRole('tab', { name: 'Code' }).click();
    await this.page.getByLabel('Copy as', { exact: true }).selectOption(language);
    const text = await this.page.locator('pre.code').innerText();
    await this.page.getByRole('tab', { name: 'JSON' }).click();
    return text;
  }

  /** Presses Tab until the control with this name has the focus. */
  async tabTo(name: string): Promise<void> {
    for (let pressed = 0; pressed < 300; pressed++) {
      await this.page.keyboard.press('Tab');
      const focused = await this.page.evaluate(() => {
        const element = document.activeElement;
        const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? [...(element.labels ?? [])] : [];
        const own = element?.getAttribute('aria-label') ?? labels.map((label) => label.innerText).join(' ');
        return (own || (element as HTMLElement | null)?.innerText || '').trim();
      });
      if (focused === name) return;
    }
    throw new Error(`Tab never reached ${name}`);
  }
}
