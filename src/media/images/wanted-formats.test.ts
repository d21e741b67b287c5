import { describe, expect, it } from 'vitest';
import { wantedFormats } from './wanted-formats.ts';

const breakpoints = { large: 1000, medium: 750, small: 500 };

describe('wantedFormats', () => {
  it.each([
    { mime: 'image/png', width: 245, height: 156, wants: [] },
    { mime: 'image/png', width: 246, height: 20, wants: ['thumbnail'] },
    { mime: 'image/png', width: 20, height: 157, wants: ['thumbnail'] },
    { mime: 'image/jpeg', width: 500, height: 400, wants: ['thumbnail'] },
    { mime: 'image/jpeg', width: 400, height: 501, wants: ['thumbnail', 'small'] },
    { mime: 'image/gif', width: 4000, height: 3000, wants: ['thumbnail', 'large', 'medium', 'small'] },
    { mime: 'image/avif', width: 4000, height: 3000, wants: [] },
    { mime: 'image/svg+xml', width: 4000, height: 3000, wants: [] },
    { mime: 'application/pdf', width: null, height: null, wants: [] },
  ])('$mime of $width by $height: $wants', ({ wants, ...file }) => {
    expect(wantedFormats(file, breakpoints).map(({ name }) => name)).toEqual(wants);
  });

  it('is the thumbnail alone where breakpoints are off', () => {
    expect(wantedFormats({ mime: 'image/png', width: 2000, height: 2000 }, {})).toEqual([{ name: 'thumbnail', width: 245, height: 156 }]);
  });
});
