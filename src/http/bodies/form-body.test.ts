import { describe, expect, it } from 'vitest';
import { parseForm } from './form-body.ts';

const read = (text: string) => parseForm(text, { bodyDepth: 10, parameters: 100 });
const deep = (levels: number) => `data${'[a]'.repeat(levels - 1)}=1`;

describe('a form', () => {
  const values: readonly (readonly [text: string, value: unknown])[] = [
    ['name=Form', { name: 'Form' }],
    ['data[name]=Form&data[count]=3', { data: { name: 'Form', count: '3' } }],
    ['data%5Bname%5D=caf%C3%A9+au+lait', { data: { name: 'café au lait' } }],
    ['data[tags][]=a&data[tags][]=b', { data: { tags: ['a', 'b'] } }],
    ['data[tags][1]=b&data[tags][0]=a', { data: { tags: ['a', 'b'] } }],
    ['data[name]=&data[kind]', { data: { name: '', kind: '' } }],
    ['data[name]=100%', { data: { name: '100%' } }],
    ['data[constructor]=x&data[toString]=y', { data: { constructor: 'x', toString: 'y' } }],
    ['data[x]=__proto__', { data: { x: '__proto__' } }],
  ];
  it.each(values)('%s', (text, value) => expect(JSON.parse(JSON.stringify(read(text)))).toEqual(value));

  it.each(['__proto__=1', '__proto__[x]=1', 'data[__proto__][x]=1', 'data%5B__%70roto__%5D=1', 'data[a][][__proto__]=1'])(
    'refuses the prototype in %s',
    (text) =>
      expect(() => read(text)).toThrow(
        expect.objectContaining({ code: 'body.invalid-json', message: 'Object contains forbidden prototype property' }),
      ),
  );

  it('as deep as it may be', () => expect(() => read(deep(10))).not.toThrow());
  const refused: readonly (readonly [what: string, text: string, code: string, key: string])[] = [
    ['one level more', deep(11), 'limit.body-depth', 'limits.bodyDepth'],
    ['a hundred thousand levels', deep(100_000), 'limit.body-depth', 'limits.bodyDepth'],
    ['too many parameters', 'a=1&'.repeat(101), 'limit.form-parameters', 'limits.parameters'],
    ['a million empty parameters', '&'.repeat(1_000_000), 'limit.form-parameters', 'limits.parameters'],
    ['a list with a place beyond', 'data[a][5000]=x', 'limit.form-parameters', 'limits.parameters'],
  ];
  it.each(refused)('refuses %s', (_what, text, code, key) =>
    expect(() => read(text)).toThrow(expect.objectContaining({ code, status: 400, message: expect.stringContaining(key) })),
  );

  it.each([
    ['opening brackets', '['],
    ['closing brackets', ']'],
    ['letters', 'a'],
    ['percent signs', '%'],
    ['underscores', '_'],
  ])('a million %s in time', (_what, character) => {
    const started = performance.now();
    try {
      read(`${character.repeat(1_000_000)}=1`);
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
