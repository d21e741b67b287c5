/** A project whose own middlewares set `populate`, of routes and of the document service, as in Strapi's example LaunchPad. Its front end names no
 *  `populate`. With one block of configuration in place of that code, every response is the one that a Strapi 5.54.0 gave, which ran it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import type { Files } from '../support/write-files.ts';
import { compare, type RecordedResponse, shapeOf } from './compare.ts';
import { useRecordedProject } from './recordings.ts';

interface Recorded {
  readonly files: Files;
  readonly configuration: object;
  readonly answers: readonly (Pick<RecordedResponse, 'status' | 'body'> & { readonly path: string })[];
}
const file = fileURLToPath(new URL('./recordings/populate/answers.json', import.meta.url));
const { files, configuration, answers }: Recorded = JSON.parse(readFileSync(file, 'utf8'));

describe.each(anyEngine)('%s', (engine) => {
  const site = useRecordedProject(engine, {}, { ...files, 'lectern.config.json': configuration });

  it('the start counts the code that is not run', () => {
    expect(site.server.output.stderr).toContain(
      'code of the project is not run: 3 actions are served without it, by decision, 1 middleware',
    );
  });

  it.each(answers)('$path', async ({ path, status, body }) => {
    const got = shapeOf(await site.server.get(path), undefined);
    expect(compare({ status, body, contentType: got.contentType }, got, 'GET')).toEqual([]);
  });
});
