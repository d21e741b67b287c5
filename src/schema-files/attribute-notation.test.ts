import { describe, expect, it } from 'vitest';
import { readAttribute } from './attribute-notation.ts';

const read: readonly (readonly [written: string, name: string, type: string, args: readonly string[], required: boolean])[] = [
  ['title:string', 'title', 'string', [], false],
  ['title:string!', 'title', 'string', [], true],
  ['slug:uid(title)', 'slug', 'uid', ['title'], false],
  ['slug:uid:title!', 'slug', 'uid', ['title'], true],
  ['price:decimal(10, 2)!', 'price', 'decimal', ['10', '2'], true],
  ['kind:enumeration:a,b', 'kind', 'enumeration', ['a', 'b'], false],
  ['seo:component(shared.seo)', 'seo', 'component', ['shared.seo'], false],
  ['owner:manyToOne(plugin::users-permissions.user)', 'owner', 'manyToOne', ['plugin::users-permissions.user'], false],
  ['owner:manyToOne:plugin::users-permissions.user', 'owner', 'manyToOne', ['plugin::users-permissions.user'], false],
  ['cover:media()', 'cover', 'media', [], false],
];

const refused: readonly (readonly [written: string, says: string])[] = [
  ['title', 'written name:type, such as title:string'],
  ['title!:string', 'comes last: title:string!'],
  ['1st:string', 'begins with a letter'],
  ['sub-title:string', 'begins with a letter'],
  ['slug:uid(title', 'a parenthesis is missing'],
  ['slug:uid title', 'name:type(value,value)'],
  ['kind:enumeration(a,,b)', 'nothing between two commas'],
  ['', 'such as title:string'],
];

describe('readAttribute', () => {
  it.each(read)('reads %s', (written, name, type, args, required) => {
    expect(readAttribute(written)).toEqual({ ok: true, attribute: { name, type, args, required, written } });
  });

  it.each(refused)('refuses %j', (written, says) => {
    expect(readAttribute(written)).toEqual({ ok: false, problem: expect.stringContaining(says) });
  });
});
