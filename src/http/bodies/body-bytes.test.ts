import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeText, inflateBody } from './body-bytes.ts';

const limit = 1000;
const inflated = async (sent: Buffer, encoding: string | undefined) => (await inflateBody(sent, encoding, limit)).toString();
const text = Buffer.from('{"data":{}}');

describe('Content-Encoding', () => {
  it.each([
    [undefined, text],
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    [' GZip ', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ])('%j is undone', async (encoding, sent) => expect(await inflated(sent, encoding)).toBe('{"data":{}}'));

  it.each(['zstd', 'gzip, gzip', 'constructor', 'x'.repeat(10_000)])('%.20s is unsupported', (encoding) =>
    expect(inflated(text, encoding)).rejects.toMatchObject({ code: 'body.unsupported-encoding', status: 415 }),
  );

  it.each([
    ['gzip', text],
    ['gzip', gzipSync(text).subarray(0, 20)],
    ['br', text],
    ['deflate', gzipSync(text)],
  ])('a body that is not %s is refused', (encoding, sent) =>
    expect(inflated(sent, encoding)).rejects.toMatchObject({ code: 'body.invalid-encoding', status: 400 }),
  );

  const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  it.each(Object.entries(compress))('%s stops at the limit', async (encoding, pack) => {
    expect(await inflated(pack(Buffer.alloc(limit)), encoding)).toHaveLength(limit);
    await expect(inflated(pack(Buffer.alloc(5_000_000)), encoding)).rejects.toMatchObject({ code: 'body.too-large', status: 413 });
  });
});

describe('the text of a body', () => {
  it('is UTF-8', () => expect(decodeText(Buffer.from('é😀'))).toBe('é😀'));
  it('begins after a byte order mark', () => expect(decodeText(Buffer.from('\ufeff{}'))).toBe('{}'));
  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['the beginning of a character', [0xf0, 0x9f, 0x98]],
  ])('%s is refused', (_what, bytes) =>
    expect(() => decodeText(Buffer.from(bytes))).toThrow(expect.objectContaining({ code: 'body.invalid-utf8', status: 400 })),
  );
});
