/** `lectern import` into a bucket. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTarGz, strapiArchive } from '../support/archives.ts';
import { anyEngine } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { emptySite, siteEnv } from '../support/recorded-site.ts';
import { useS3 } from '../support/s3-server.ts';
import { queryIn } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.each(anyEngine)('lectern import with a bucket, on %s', (engine) => {
  const s3 = useS3();
  let target: Project | undefined;
  afterAll(() => target?.remove());

  it('stores the files there, with their URLs, and exports them again', async () => {
    target = await emptySite(engine);
    const env = { ...siteEnv(target), ...s3.env };
    expect((await run(['import', strapiArchive, '--dir', target.dir], env)).status).toBe(0);
    const [row] = await queryIn(target, "SELECT url, provider FROM files WHERE hash = 'tower_c80be42ec5'");
    expect(row).toEqual([expect.stringMatching(/^http.*\/tower_c80be42ec5\.webp$/), 'aws-s3']);
    const archive = join(temporaryFolder(), 'site.tar.gz');
    expect((await run(['export', archive, '--only', 'files', '--dir', target.dir], env)).status).toBe(0);
    const [ours, theirs] = [await readTarGz(archive), await readTarGz(strapiArchive)];
    const files = Object.keys(theirs).filter((name) => name.startsWith('assets/uploads/'));
    expect(files).toHaveLength(10);
    for (const name of files) expect(ours[name]?.equals(theirs[name] as Buffer)).toBe(true);
  });
});
