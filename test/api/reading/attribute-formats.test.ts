/** The form of each attribute type in responses, the same on every engine. */
import { describe, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, idOf, useLibrary } from '../../support/library/library.ts';

const at = (label: string) => `/api/specimens/${idOf('specimen', label)}`;
const words = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

const cases: ApiCase[] = [
  {
    it: 'low and negative values',
    path: at('a'),
    query: 'fields=whole,big,flt,dec,flag,day,clock,moment,stamp,doc,blocks,level,mail,handle',
    data: {
      whole: -3,
      big: '-9223372036854775808',
      flt: -2.5,
      dec: -1.25,
      flag: false,
      day: '1969-12-31',
      clock: '08:00:00.000',
      moment: '1969-12-31T23:59:59.999Z',
      stamp: '-1',
      doc: { k: 'one', list: [1, 2] },
      blocks: words('first words'),
      level: 'high',
      mail: 'alpha@x.example',
      handle: 'alpha-handle',
    },
  },
  {
    it: 'high values, integers of 64 bits with all their digits',
    path: at('c'),
    query: 'fields=whole,big,flt,dec,day,clock,moment,stamp,doc',
    data: {
      whole: 2147483647,
      big: '9223372036854775807',
      flt: 1234.5,
      dec: 99999999.25,
      day: '9999-12-31',
      clock: '23:59:59.999',
      moment: '2999-12-31T23:59:59.000Z',
      stamp: '2145916799000',
      doc: [3, 4],
    },
  },
  {
    it: 'an integer beyond what a JavaScript number holds',
    path: at('b'),
    query: 'fields=big,flag',
    data: { big: '9007199254740993', flag: true },
  },
  {
    it: 'null of every type',
    path: at('n'),
    query: 'fields=str,txt,rich,mail,handle,level,whole,big,flt,dec,flag,day,clock,moment,stamp,doc,blocks',
    data: {
      str: null,
      txt: null,
      rich: null,
      mail: null,
      handle: null,
      level: null,
      whole: null,
      big: null,
      flt: null,
      dec: null,
      flag: null,
      day: null,
      clock: null,
      moment: null,
      stamp: null,
      doc: null,
      blocks: null,
    },
  },
  { it: 'text with every kind of quote', path: at('t6'), query: 'fields=str', data: { str: 'it\'s "quoted"; DROP TABLE specimens; --' } },
  { it: 'text beyond the first plane of Unicode', path: at('t8'), query: 'fields=str', data: { str: 'Éclair 😀' } },
  { it: 'text with backslashes', path: at('t4'), query: 'fields=str', data: { str: '50%_off\\now' } },
  { it: 'empty text, which is not null', path: at('t7'), query: 'fields=str', data: { str: '' } },
];

describe.each(engines)('%s: formats', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('returns $it', (apiCase) => library.check(apiCase));
});
