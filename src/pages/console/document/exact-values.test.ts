import { expect, it } from 'vitest';
import type { DescribedAttribute, DescribedComponent } from '../../../http/endpoints/me/described-me.ts';
import { readExact, writeExact } from '../server/exact-json.ts';
import { exactInJson } from './exact-values.ts';

const attribute = (name: string, type: string, rest: Partial<DescribedAttribute> = {}) => ({ name, type, ...rest }) as DescribedAttribute;
const big = '12345678901234567890';

it('numbers are exact in JSON and blocks, at any depth', () => {
  const inner = [attribute('data', 'json'), attribute('number', 'float')];
  const component = { uid: 'a.b', label: 'B', attributes: inner } as unknown as DescribedComponent;
  const attributes = [
    ...inner,
    attribute('body', 'blocks'),
    attribute('one', 'component', { component: 'a.b' }),
    attribute('zone', 'dynamiczone', { components: ['a.b'] }),
  ];
  const entry = `{"__component":"a.b","data":[${big}],"number":${big}}`;
  const text = `{"data":${big},"number":${big},"body":[{"key":${big}}],"one":${entry},"zone":[${entry}],"other":{"a":${big}}}`;
  const values = exactInJson(readExact(text) as Record<string, unknown>, attributes, () => component);
  expect(writeExact(values)).toBe(
    text.replaceAll(`"number":${big}`, `"number":${Number(big)}`).replaceAll(`"a":${big}`, `"a":${Number(big)}`),
  );
});
