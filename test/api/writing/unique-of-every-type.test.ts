/** Whether a value is taken is found out for many values at once: their types as the engine gives them back must not matter. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const unique = { unique: true };
const attributes = {
  s: { type: 'string', ...unique },
  t: { type: 'text', ...unique },
  e: { type: 'email', ...unique },
  n: { type: 'enumeration', enum: ['a', 'b'], ...unique },
  i: { type: 'integer', ...unique },
  bi: { type: 'biginteger', ...unique },
  f: { type: 'float', ...unique },
  d: { type: 'decimal', ...unique },
  da: { type: 'date', ...unique },
  ti: { type: 'time', ...unique },
  dt: { type: 'datetime', ...unique },
  ts: { type: 'timestamp', ...unique },
};
const values: Record<string, [unknown, unknown]> = {
  s: ['x', 'y'],
  t: ['x', 'y'],
  e: ['a@b.co', 'b@b.co'],
  n: ['a', 'b'],
  i: [1, 2],
  bi: ['9007199254740993', '2'],
  f: [0.1, 2.5],
  d: [1.1, 2.25],
  da: ['2024-01-02', '2024-01-03'],
  ti: ['10:00:00.000', '11:00:30.500'],
  dt: ['2024-01-02T10:00:00Z', '2024-01-02T10:00:00.123Z'],
  ts: ['1700000000000', '1700000000001'],
};
const files = schemaFiles({ thing: { attributes: { ...attributes, parts: component('one', { repeatable: true }) } } }, { one: attributes });

describe.each(engines)('%s: unique values', (engine) => {
  const served = useProject(engine, { files, env: { LECTERN_PROFILE: 'specification' } });

  it.each(Object.entries(values))('%s', async (name, [a, b]) => {
    await served.write('POST', '/api/things', { [name]: a, parts: [{ [name]: a }, { [name]: b }] });
    const second = await served.ask('full', 'POST', '/api/things', { [name]: a });
    expect(second.status).toBe(400);
    const third = await served.ask('full', 'POST', '/api/things', { parts: [{ [name]: b }, { [name]: a }] });
    expect(third.text).toContain('"parts","0"');
    expect(third.text).toContain('"parts","1"');
  });
});
