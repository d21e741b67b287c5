/** The page `/explore` of a project without content types. */
import { describe, expect, it } from 'vitest';
import { hasChromium, openBrowser } from '../support/chromium.ts';
import { anyEngine } from '../support/engines.ts';
import { useProject } from '../support/served-project.ts';
import { useMade } from '../support/use-made.ts';
import { watchPage } from './watch-page.ts';

describe.skipIf(!hasChromium).each(anyEngine)('%s: /explore of a project without content types', (engine) => {
  const api = useProject(engine, { files: { 'src/api/.gitkeep': '' } });
  const browser = useMade(openBrowser);
  it('says so, and asks for nothing that is not there', async () => {
    const page = await browser().context.newPage();
    const { problems } = await watchPage(page, api.server.base);
    await page.goto(`${api.server.base}/explore`, { waitUntil: 'networkidle' });
    expect(await page.locator('body').innerText()).toContain('There is no content type that you may read.');
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.waitForLoadState('networkidle');
    expect(problems).toEqual([]);
  });
});
