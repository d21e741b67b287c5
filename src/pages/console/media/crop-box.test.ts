import { describe, expect, it } from 'vitest';
import { type Box, type Corner, movedBy, rounded, withCornerAt, withRatio } from './crop-box.ts';

const size = { width: 1000, height: 600 };
const box: Box = { x: 100, y: 100, width: 200, height: 100 };
const values = ({ x, y, width, height }: Box) => [x, y, width, height];

describe('a part of a picture', () => {
  it.each([
    [10, -10, [110, 90, 200, 100]],
    [-999, -999, [0, 0, 200, 100]],
    [9999, 9999, [800, 500, 200, 100]],
  ])('is moved by %d and %d, and stays within the picture', (dx, dy, expected) => {
    expect(values(movedBy(box, dx, dy, size))).toEqual(expected);
  });

  const corners: readonly (readonly [Corner, number, number, number | undefined, readonly number[]])[] = [
    [[1, 1], 400, 300, undefined, [100, 100, 300, 200]],
    [[0, 0], 50, 20, undefined, [50, 20, 250, 180]],
    [[1, 0], 5000, -5000, undefined, [100, 0, 900, 200]],
    // Dragged beyond the opposite corner.
    [[1, 1], 0, 0, undefined, [100, 100, 16, 16]],
    [[1, 1], 400, 110, 1, [100, 100, 300, 300]],
    // There is no room for a square of that width.
    [[1, 1], 1000, 110, 1, [100, 100, 500, 500]],
    [[0, 0], 0, 0, 2, [0, 50, 300, 150]],
  ];
  it.each(corners)('has its corner %j dragged to %d, %d (ratio %s)', (corner, x, y, ratio, expected) => {
    expect(values(withCornerAt(box, corner, { x, y }, size, ratio))).toEqual(expected);
  });

  it('takes a shape around its middle, within the picture', () => {
    expect(values(withRatio(box, 1, size))).toEqual([100, 50, 200, 200]);
    expect(values(withRatio({ x: 0, y: 0, ...size }, 16 / 9, size))).toEqual([0, 18.75, 1000, 562.5]);
    expect(values(withRatio(box, undefined, size))).toEqual(values(box));
  });

  it('has whole pixels, and at least one', () => {
    expect(values(rounded({ x: 0.4, y: 0.6, width: 10.5, height: 0.2 }, size))).toEqual([0, 1, 11, 1]);
    expect(values(rounded({ x: 999.9, y: 700, width: 50, height: 50 }, size))).toEqual([999, 599, 1, 1]);
  });
});
