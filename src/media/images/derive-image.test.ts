import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { animation, noise } from '../../../test/support/images.ts';
import { deriveImage } from './derive-image.ts';
import type { ImageRules, ImageSettings } from './images.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-derive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const strict: ImageRules = { turnImages: true, keepSmallerOriginals: true, measureAvif: true };
const recorded: ImageRules = { turnImages: false, keepSmallerOriginals: false, measureAvif: false };
const settings: ImageSettings = { sizeOptimization: true, responsiveDimensions: true, autoOrientation: false };

function derive(bytes: Uint8Array, rules: ImageRules, changed: Partial<ImageSettings> = {}, pixels = 10_000_000) {
  const path = join(folder, 'sent');
  writeFileSync(path, bytes);
  return deriveImage({
    kind: 'derive',
    path,
    folder,
    settings: { ...settings, ...changed },
    rules,
    breakpoints: { small: 500 },
    pixels,
  });
}

const sideways = () => noise(600, 300).withMetadata({ orientation: 6 }).jpeg({ quality: 98 }).toBuffer();
const sizes = (image: Awaited<ReturnType<typeof derive>>) => [
  [image?.width, image?.height],
  ...(image?.formats ?? []).map(({ width, height }) => [width, height]),
];
const upright = [
  [300, 600],
  [78, 156],
  [250, 500],
];
const asStored = [
  [600, 300],
  [245, 123],
  [500, 250],
];

describe('a photograph that was taken sideways', () => {
  it.each([
    ['is turned, with its variants', strict, {}, upright],
    ['is turned where it is not encoded again', strict, { sizeOptimization: false }, upright],
    ['lies as it was stored, as in Strapi', recorded, {}, asStored],
    ['lies as it was stored where it is not encoded again', recorded, { sizeOptimization: false }, asStored],
    ['is turned where the library says so', recorded, { autoOrientation: true }, upright],
  ] as const)('%s', async (_title, rules, changed, expected) => {
    expect(sizes(await derive(await sideways(), rules, changed))).toEqual(expected);
  });
});

describe('an image that another encoding makes larger', () => {
  const small = () => noise(300, 200).jpeg({ quality: 30 }).toBuffer();
  it('is kept as it was sent', async () => {
    expect((await derive(await small(), strict))?.optimized).toBeUndefined();
  });
  it('becomes larger, as in Strapi', async () => {
    const sent = await small();
    expect((await derive(sent, recorded))?.optimized?.size).toBeGreaterThan(sent.byteLength);
  });
  it('is kept in both where the library does not optimise', async () => {
    expect((await derive(await small(), recorded, { sizeOptimization: false }))?.optimized).toBeUndefined();
  });
});

describe('an AVIF', () => {
  const avif = () => noise(300, 200).avif().toBuffer();
  it('has its dimensions, and no variants', async () => {
    expect(sizes(await derive(await avif(), strict))).toEqual([[300, 200]]);
  });
  it('is no image, as in Strapi', async () => {
    expect(await derive(await avif(), recorded)).toBeUndefined();
  });
});

describe('a TIFF with pages', () => {
  const pages = (height: number) =>
    sharp(Buffer.alloc(300 * height * 3 * 3, 'lectern'), { raw: { width: 300, height: height * 3, channels: 3, pageHeight: height } })
      .tiff({ compression: 'none' })
      .toBuffer();
  it('keeps them when it is encoded again', async () => {
    const image = await derive(await pages(200), strict);
    expect(image).toMatchObject({ width: 300, height: 200 });
    expect((await sharp(image?.optimized?.path).metadata()).pages).toBe(3);
  });
  it('stays as it was sent if it has too many pages to decode together', async () => {
    const image = await derive(await pages(12_000), strict);
    expect(image).toMatchObject({ width: 300, height: 12_000, optimized: undefined });
  });
});

it.each(['gif', 'webp'] as const)('all frames count for the limit on pixels: %s', async (format) => {
  const moving = await animation(30, 64, 64).toFormat(format).toBuffer();
  await expect(derive(moving, strict, {}, 100_000)).rejects.toThrow('more than 100000 pixels');
  expect((await derive(moving, strict))?.height).toBe(64);
});
