/** `lectern media` where the files of the library are in a bucket. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { plainImage } from '../../support/images.ts';
import { useS3 } from '../../support/s3-server.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(anyEngine)('lectern media with a bucket, on %s', (engine) => {
  const s3 = useS3();
  const served = useProject(engine, { files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }), env: () => s3.env });
  const media = (...args: readonly string[]) => run(['media', ...args, '--dir', served.project.dir], { ...served.project.env, ...s3.env });

  it('imports into it, and recognises what it contains', async () => {
    const photos = mkdtempSync(join(tmpdir(), 'lectern-photos-'));
    writeFileSync(join(photos, 'a.png'), await plainImage(300, 200).png().toBuffer());
    expect((await media('import', photos)).status).toBe(0);
    rmSync(photos, { recursive: true });
    expect(await media('check')).toMatchObject({ status: 0, stdout: expect.stringContaining('with 2 files of the storage (aws-s3)') });
  });

  it('ends if it cannot be listed: files that are not listed do not count as deleted', async () => {
    s3.failing(() => 'denied');
    const checked = await media('check', '--repair', '--delete-orphans');
    s3.failing(undefined);
    expect(checked).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Lectern cannot go on: ') });
  });
});
