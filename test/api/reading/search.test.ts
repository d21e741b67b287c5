import { describe, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary } from '../../support/library/library.ts';

const cases: ApiCase[] = [
  { it: 'a text in any text attribute', query: '_q=light', finds: ['Lanterns'] },
  { it: 'ignoring letter case', query: '_q=LANTERN', finds: ['Lanterns'] },
  { it: 'a number in a number attribute', query: '_q=300', finds: ['Maps'] },
  { it: 'together with a filter', query: '_q=a&filters[genre]=novel', finds: ['Maps'] },
  { it: 'only in the status asked for', query: '_q=revised', finds: [] },
  { it: 'only in the locale asked for', query: '_q=Laternen', finds: [] },
  { it: 'nothing for an empty text, which asks for everything', query: '_q=', finds: ['Lanterns', 'Maps', 'Quiet', 'tides'] },
  { it: 'not in private attributes', query: '_q=hush', finds: [] },
  { it: 'not in private attributes, for the full-access token either', as: 'full', query: '_q=hush', finds: [] },
  { it: 'not in passwords', as: 'full', query: '_q=$2', finds: [] },
  { it: 'not in relations', query: '_q=Optics', finds: [] },
  { it: '% literally', path: '/api/specimens', query: '_q=%25', finds: ['t4'] },
  { it: '_ literally', path: '/api/specimens', query: '_q=0_', finds: [] },
  { it: 'a backslash literally', path: '/api/specimens', query: '_q=%5Cnow', finds: ['t4'] },
  { it: 'a list is refused', query: '_q[]=a', error: [400, '_q'] },
];

describe.each(engines)('%s: _q', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('$it', (apiCase) =>
    library.check({ ...apiCase, query: `${apiCase.query}&sort=${apiCase.path ? 'label' : 'slug'}` }, '/api/books'),
  );
});
