/** The part of a picture that is kept, in pixels of the picture. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Which corner is dragged: 0 is left or top, 1 is right or bottom. */
export type Corner = readonly [x: 0 | 1, y: 0 | 1];

const smallest = 16;
const between = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

export function movedBy(box: Box, dx: number, dy: number, { width, height }: Size): Box {
  return { ...box, x: between(box.x + dx, 0, width - box.width), y: between(box.y + dy, 0, height - box.height) };
}

/** The opposite corner stays. `ratio` is width by height; undefined for any. */
export function withCornerAt(box: Box, [right, bottom]: Corner, to: { x: number; y: number }, size: Size, ratio: number | undefined): Box {
  const fixedX = right === 1 ? box.x : box.x + box.width;
  const fixedY = bottom === 1 ? box.y : box.y + box.height;
  const room = { width: right === 1 ? size.width - fixedX : fixedX, height: bottom === 1 ? size.height - fixedY : fixedY };
  const width = between(right === 1 ? to.x - fixedX : fixedX - to.x, smallest, room.width);
  const height = between(bottom === 1 ? to.y - fixedY : fixedY - to.y, smallest, room.height);
  const fitted = ratio === undefined ? { width, height } : inRatio({ width, height }, ratio, room);
  return { x: right === 1 ? fixedX : fixedX - fitted.width, y: bottom === 1 ? fixedY : fixedY - fitted.height, ...fitted };
}

/** As wide as wanted, where there is room. */
function inRatio({ width, height }: Size, ratio: number, room: Size): Size {
  const wide = Math.min(Math.max(width, height * ratio), room.width, room.height * ratio);
  return { width: wide, height: wide / ratio };
}

/** The largest box of that shape around the middle of the former one. */
export function withRatio(box: Box, ratio: number | undefined, size: Size): Box {
  if (ratio === undefined) return box;
  const width = Math.min(size.width, size.height * ratio, Math.max(box.width, box.height * ratio));
  const height = width / ratio;
  const moved = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
  return movedBy(moved, 0, 0, size);
}

/** Whole pixels within the picture, at least one. */
export function rounded(box: Box, size: Size): Box {
  const x = between(Math.round(box.x), 0, size.width - 1);
  const y = between(Math.round(box.y), 0, size.height - 1);
  return { x, y, width: between(Math.round(box.width), 1, size.width - x), height: between(Math.round(box.height), 1, size.height - y) };
}
