import type { Page } from 'playwright-core';

/** What a page of ours must not do, collected from now on: requests to other origins, violations of its content security policy, errors in
 *  scripts, and errors on the console. */
export async function watchPage(page: Page, origin: string): Promise<{ readonly problems: string[] }> {
  const problems: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && asked !== new URL(origin).origin) problems.push(`request to ${request.url()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => problems.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (globalThis as unknown as { reportViolation(text: string): void }).reportViolation;
      report(`content security policy: ${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  return { problems };
}
