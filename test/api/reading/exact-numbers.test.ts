/** Floating-point numbers keep their last digit on every engine, in statements with and without values. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const attributes = { reading: { type: 'float' } } as const;
const files = schemaFiles({ gauge: { attributes, single: true }, sample: { attributes } });

/** Numbers of 16 and 17 digits, which are read wrongly when their digits are multiplied up. */
const numbers = [97.13578789960593, 97.71756168920547, 0.30000000000000004, 123456.78901234567, -9007199254740.992, 5e-324, 1e300];

describe.each(engines)('%s: floating-point numbers', (engine) => {
  const served = useProject(engine, { files });

  it.each(numbers)('returns %f as it was written', async (reading) => {
    const single = await served.write('PUT', '/api/gauge', { reading });
    expect(single).toMatchObject({ reading });
    const read = await served.ask('full', 'GET', '/api/gauge');
    expect(read.json()).toMatchObject({ data: { reading } });
    const { documentId } = (await served.write('POST', '/api/samples', { reading })) as { documentId: string };
    for (const path of [
      `/api/samples/${documentId}`,
      `/api/samples?filters[reading]=${encodeURIComponent(reading)}&pagination[pageSize]=1`,
    ]) {
      const found = (await served.ask('full', 'GET', path)).json() as { data: unknown };
      expect([found.data].flat()[0], path).toMatchObject({ reading });
    }
  });
});
