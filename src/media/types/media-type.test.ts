import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { judgeType, type TypeRules } from './media-type.ts';

const bytes = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(64)]);
const content = {
  png: bytes('89504e470d0a1a0a0000000d494844520000000100000001080600000000000000'),
  jpeg: bytes('ffd8ffe000104a46494600010100000100010000'),
  gif: Buffer.from('GIF89a<script>'),
  tiff: bytes('49492a00ffffff0f'),
  pdf: Buffer.from('%PDF-1.4\n'),
  zip: bytes('504b0304140000000000'),
  exe: bytes('4d5a90000300000004000000ffff0000'),
  mp4: bytes('0000001c6674797069736f6d0000020069736f6d69736f32'),
  text: Buffer.from('hello world\n'),
  empty: Buffer.alloc(0),
  script: Buffer.from('#!/bin/sh\nrm -rf /\n'),
  php: Buffer.from('<?php phpinfo();'),
  html: Buffer.from('\ufeff \n<!-- a -->\n<!DOCTYPE html><html>'),
  fragment: Buffer.from('<img src=x onerror=1>'),
  comment: Buffer.from(`<!-- ${'x'.repeat(5000)}`),
  utf16: Buffer.from('\ufeff<script>1</script>', 'utf16le'),
  utf16Table: Buffer.from('\ufeffa;b', 'utf16le'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  drawnSvg: Buffer.from(
    '<?xml version="1.0"?>\n<!-- Generator -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY a "b>">]>\n<svg:svg/>',
  ),
  packedSvg: gzipSync(`<svg xmlns="http://www.w3.org/2000/svg"><!-- ${'many '.repeat(100_000)} --></svg>`),
  packedText: gzipSync('hello world'),
  bomb: gzipSync(Buffer.alloc(8_000_000)),
  xml: Buffer.from('<?xml version="1.0"?><feed/>'),
  xhtml: Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
  arithmetic: Buffer.from('<3 and 1 < 2'),
};
type Content = keyof typeof content;

const open: TypeRules = { allowedTypes: [], deniedTypes: [], believes: false };
const believing: TypeRules = { ...open, believes: true };

async function typeOf(rules: TypeRules, what: Content, name: string, declared: string | undefined): Promise<string> {
  const verdict = await judgeType({ name, declared, head: content[what].subarray(0, 4100) }, rules);
  return 'mediaType' in verdict ? verdict.mediaType : `${verdict.refused.code}: ${verdict.refused.message}`;
}

const generic = 'application/octet-stream';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('a media type that is believed', () => {
  it.each<[Content, string, string | undefined, string]>([
    ['png', 'red.png', 'image/png', 'image/png'],
    ['png', 'red.png', generic, 'image/png'],
    ['png', 'x.txt', 'text/plain', 'text/plain'],
    ['png', 'x', 'text/plain', 'image/png'],
    ['text', 'fake.png', 'image/png', 'image/png'],
    ['text', 'README', 'text/plain', 'text/plain'],
    ['text', 'README', undefined, generic],
    ['text', 'table.csv', generic, 'text/csv'],
    ['script', 'notes.txt', 'text/plain', 'text/plain'],
    ['html', 'page.txt', 'text/plain', 'text/plain'],
    ['zip', 'a.docx', generic, docx],
    ['zip', 'a.zip', 'application/zip', 'application/zip'],
    ['zip', 'a', generic, 'application/zip'],
    ['exe', 'a.png', generic, 'application/x-msdownload'],
  ])('%s as %s, %s: %s', async (what, name, declared, type) => {
    expect(await typeOf(believing, what, name, declared)).toBe(type);
  });

  const lists = {
    ...believing,
    allowedTypes: ['image/*', 'text/plain', 'application/vnd.openxmlformats-officedocument.*'],
    deniedTypes: ['image/SVG+xml', 'text/x-shellscript'],
  };
  it.each<[Content, string, string | undefined, string]>([
    ['svg', 'vector.svg', 'image/svg+xml', "upload.type: File type 'image/svg+xml' is not allowed"],
    ['text', 'a.svg', 'text/plain', "upload.type: File type 'image/svg+xml' is not allowed"],
    ['text', 'a.txt', 'image/svg+xml', "upload.type: File type 'image/svg+xml' is not allowed"],
    ['script', 'script.sh', 'text/x-shellscript', "upload.type: File type 'text/x-shellscript' is not allowed"],
    ['html', 'page.html', 'text/html', "upload.type: File type 'text/html' is not allowed"],
    ['pdf', 'a.txt', 'text/plain', 'upload.detected-type: MIME type is not allowed'],
    ['pdf', 'a.pdf', 'application/pdf', "upload.type: File type 'application/pdf' is not allowed"],
    ['zip', 'a.docx', generic, docx],
    ['zip', 'a.txt', 'text/plain', 'text/plain'],
    ['text', 'a', generic, `upload.type: File type '${generic}' is not allowed`],
  ])('%s as %s, %s, held against the lists: %s', async (what, name, declared, outcome) => {
    expect(await typeOf(lists, what, name, declared)).toBe(outcome);
  });
});

describe('a media type that has to be recognised', () => {
  const unlike = (name: string, type: string) =>
    `upload.content: ${name} was sent as ${type}, but does not begin like a file of this type (policies.believeMediaTypes)`;

  it.each<[Content, string, string | undefined, string]>([
    ['png', 'red.png', 'image/png', 'image/png'],
    ['png', 'red.png', generic, 'image/png'],
    ['png', 'x.txt', 'text/plain', 'image/png'],
    ['jpeg', 'x', 'text/plain', 'image/jpeg'],
    ['gif', 'x.html', 'text/html', 'image/gif'],
    ['tiff', 'scan.tif', 'image/tiff', 'image/tiff'],
    ['tiff', 'scan.txt', 'text/plain', 'image/tiff'],
    ['pdf', 'a.pdf', undefined, 'application/pdf'],
    ['mp4', 'a.mov', 'video/quicktime', 'video/quicktime'],
    ['mp4', 'a.m4a', 'audio/x-m4a', 'audio/mp4'],
    ['zip', 'a.docx', generic, docx],
    ['zip', 'a.txt', 'text/plain', 'application/zip'],
    ['exe', 'a.txt', 'text/plain', 'application/x-msdownload'],
    ['text', 'a.txt', 'text/plain', 'text/plain'],
    ['text', 'table.csv', 'text/csv', 'text/csv'],
    ['text', 'song.mp3', 'audio/mpeg', 'audio/mpeg'],
    ['text', 'README', undefined, generic],
    ['text', 'README', 'text/x-notes+xml', 'text/x-notes+xml'],
    ['text', 'README', 'hello', generic],
    ['text', 'README', 'text/*', generic],
    ['text', 'README', 'text/<b>', generic],
    ['text', 'README', 'text/a\0b', generic],
    ['text', 'README', `text/${'a'.repeat(128)}`, generic],
    ['empty', 'a.txt', 'text/plain', 'text/plain'],
    ['arithmetic', 'a.txt', 'text/plain', 'text/plain'],
    ['script', 'notes.txt', 'text/plain', 'text/x-shellscript'],
    ['php', 'notes.txt', 'text/plain', 'application/x-httpd-php'],
    ['html', 'page.txt', 'text/plain', 'text/html'],
    ['html', 'page.html', 'text/html', 'text/html'],
    ['fragment', 'page.txt', 'text/plain', 'text/html'],
    ['comment', 'page.txt', 'text/plain', 'text/html'],
    ['utf16', 'page.txt', 'text/plain', 'text/html'],
    ['utf16Table', 'table.csv', 'text/csv', 'text/csv'],
    ['svg', 'a.txt', 'text/plain', 'image/svg+xml'],
    ['svg', 'a.xml', 'application/xml', 'image/svg+xml'],
    ['drawnSvg', 'a', 'text/plain', 'image/svg+xml'],
    ['packedSvg', 'a.svgz', 'image/svg+xml', 'image/svg+xml'],
    ['packedSvg', 'A.SVGZ', generic, 'image/svg+xml'],
    ['packedSvg', 'a', 'image/svg+xml', 'image/svg+xml'],
    ['packedSvg', 'a.gz', 'application/gzip', 'application/gzip'],
    ['packedText', 'a.svgz', 'image/svg+xml', 'application/gzip'],
    ['bomb', 'a.svgz', 'image/svg+xml', 'application/gzip'],
    ['xml', 'a.txt', 'text/plain', 'application/xml'],
    ['xml', 'a.rss', 'application/rss+xml', 'application/rss+xml'],
    ['xml', 'a.svg', 'image/svg+xml', 'image/svg+xml'],
    ['xhtml', 'a.xml', 'text/xml', 'application/xhtml+xml'],
    ['text', 'fake.png', 'image/png', unlike('fake.png', 'image/png')],
    ['empty', 'fake.png', 'image/png', unlike('fake.png', 'image/png')],
    ['html', 'fake.png', 'image/png', unlike('fake.png', 'image/png')],
    ['jpeg', 'fake.png', 'image/png', unlike('fake.png', 'image/png')],
    ['svg', 'fake.png', 'image/png', unlike('fake.png', 'image/png')],
    ['exe', 'a.pdf', 'application/pdf', unlike('a.pdf', 'application/pdf')],
    ['text', 'fake', 'image/png', unlike('fake', 'image/png')],
    ['text', 'a.docx', generic, unlike('a.docx', docx)],
  ])('%s as %s, %s: %s', async (what, name, declared, outcome) => {
    expect(await typeOf(open, what, name, declared)).toBe(outcome);
  });

  it.each<[Content, string, string, string]>([
    ['html', 'page.txt', 'text/plain', 'text/html'],
    ['script', 'notes.txt', 'text/plain', 'text/x-shellscript'],
    ['svg', 'a.txt', 'text/plain', 'image/svg+xml'],
    ['packedSvg', 'a.svgz', generic, 'image/svg+xml'],
    ['exe', 'a.txt', 'text/plain', 'application/x-msdownload'],
  ])('%s as %s, %s goes through the lists as %s', async (what, name, declared, type) => {
    const refused = `upload.type: File type '${type}' is not allowed`;
    expect(await typeOf({ ...open, allowedTypes: ['text/plain'] }, what, name, declared)).toBe(refused);
    expect(await typeOf({ ...open, deniedTypes: [type] }, what, name, declared)).toBe(refused);
  });
});

it.each([
  ['image/*', 'IMAGE/PNG', true],
  ['image/*', 'video/mp4', false],
  ['*', 'any/thing', true],
  ['application/vnd.*.document', 'application/vnd.a.document', true],
  ['a*b*b', 'a/b', false],
  ['application/vnd.x', 'application/vndxx', false],
])('the pattern %s and %s: %s', async (pattern, declared, fits) => {
  expect(await typeOf({ ...believing, deniedTypes: [pattern] }, 'text', 'a', declared.toLowerCase())).toBe(
    fits ? `upload.type: File type '${declared.toLowerCase()}' is not allowed` : declared.toLowerCase(),
  );
});
