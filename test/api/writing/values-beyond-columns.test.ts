/** Values that their schema allows and their column does not: the response names each of them. SQLite stores them all. */
import { describe, expect, it } from 'vitest';
import { engines, speaksMysql } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { changeIn, errorOf, useProject } from '../../support/served-project.ts';

const whole = { whole: { type: 'integer' } };
const files = schemaFiles(
  {
    note: {
      attributes: {
        ...{ ...whole, price: { type: 'decimal' }, mail: { type: 'email' }, handle: { type: 'uid' }, secret: { type: 'password' } },
        ...{ long: { type: 'text' }, wide: { type: 'email' } },
        ...{ box: component('box'), boxes: component('box', { repeatable: true }), outers: component('outer', { repeatable: true }) },
        zone: { type: 'dynamiczone', components: ['part.box'] },
      },
    },
  },
  { box: whole, outer: { boxes: component('box', { repeatable: true }) } },
);
const large = { whole: 3_000_000_000 };
const tooLong = 'a'.repeat(256);

describe.each(engines)('%s: values that are too large for their column', (engine) => {
  const widened = speaksMysql(engine) ? 'ALTER TABLE notes MODIFY wide longtext' : 'ALTER TABLE notes ALTER COLUMN wide TYPE text';
  const api = useProject(engine, {
    files,
    prepare: (project) => (engine === 'sqlite' ? undefined : changeIn(project, widened)),
  });
  const refused = async (method: string, path: string, data: object) => {
    const response = await api.ask('full', method, path, data);
    const { message, details } = errorOf(response);
    return { status: response.status, message, errors: details.errors };
  };
  const error = (names: string, ...errors: readonly (readonly [path: string, message: string])[]) => ({
    status: 400,
    message: `Too large or too long for the column in this database: ${names}`,
    errors: errors.map(([path, message]) => ({ path: path.split('.'), message, name: 'ValidationError' })),
  });
  const isLarge = '3000000000 is not an integer of 32 bits';

  it.each<[string, object, ReturnType<typeof error>]>([
    ['an integer', large, error('whole', ['whole', isLarge])],
    ['of a component', { box: large }, error('box.whole', ['box.whole', isLarge])],
    ['of a list of components', { boxes: [{}, large] }, error('boxes[1].whole', ['boxes.1.whole', isLarge])],
    ['of a nested component', { outers: [{ boxes: [large] }] }, error('outers[0].boxes[0].whole', ['outers.0.boxes.0.whole', isLarge])],
    ['of a dynamic zone', { zone: [{ __component: 'part.box', ...large }] }, error('zone[0].whole', ['zone.0.whole', isLarge])],
    ['a decimal', { price: 1e20 }, error('price', ['price', '100000000000000000000 has more than 8 digits before the point'])],
    [
      'a decimal that is rounded up',
      { price: 99_999_999.999 },
      error('price', ['price', '99999999.999 has more than 8 digits before the point']),
    ],
    ['a uid', { handle: tooLong }, error('handle', ['handle', 'has 256 characters, 255 are possible'])],
    ['an e-mail address', { mail: `${tooLong}@example.org` }, error('mail', ['mail', 'has 268 characters, 255 are possible'])],
    [
      'several',
      { ...large, long: tooLong, handle: `${tooLong}b` },
      error('whole, handle', ['whole', isLarge], ['handle', 'has 257 characters, 255 are possible']),
    ],
  ])('%s', async (_, data, expected) => {
    const path = await api.make('/api/notes', { long: 'before' });
    if (engine === 'sqlite') return void (await api.write('PATCH', path, data));
    expect(await refused('POST', '/api/notes', data)).toEqual(expected);
    expect(await refused('PATCH', path, data)).toEqual(expected);
    expect(await api.read(path)).toMatchObject({ long: 'before', whole: null });
  });

  it('the largest values, a password, and a column that was widened have room', async () => {
    const data = {
      whole: 2 ** 31 - 1,
      price: 99_999_999.99,
      handle: 'b'.repeat(255),
      secret: 'p'.repeat(70),
      wide: `${tooLong}@example.org`,
    };
    const { secret: _, ...shown } = data;
    expect(await api.write('POST', '/api/notes', data)).toMatchObject(shown);
  });

  it('of users as well', async () => {
    const data = { username: 'somebody', email: `${'a'.repeat(256)}@example.org`, password: 'a-password', role: 1 };
    const response = await api.send('full', { method: 'POST', path: '/api/users', body: data });
    if (engine === 'sqlite') expect(response.status, response.text).toBe(201);
    else expect(errorOf(response)).toMatchObject({ message: error('email').message });
  });
});
