/** Images that tests make themselves, sound and otherwise. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { vi } from 'vitest';
import { processesOf } from './processes.ts';

/** Not to be compressed away: every pixel differs. */
export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

/** An image of one color. */
export const plainImage = (width: number, height: number, background = '#4a3f6b'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

/** A GIF or WebP that moves. */
export function animation(frames: number, width: number, height: number): Sharp {
  const pixels = Buffer.concat(Array.from({ length: frames }, (_, at) => Buffer.alloc(width * height * 3, (at * 37) % 256)));
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } });
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

/** A grey PNG with this header and as many rows as are said: fewer than the header says for a broken one, few bytes for many pixels. */
export function png(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * rows)));
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]);
}

/** A TIFF of which there is little more than the header. */
export function tiff(width: number, height: number): Buffer {
  const long = 4;
  const entries = [
    [256, width],
    [257, height],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, height],
    [279, width * 2],
  ];
  const bytes = Buffer.alloc(14 + entries.length * 12);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  for (const [at, [tag = 0, value = 0]] of entries.entries()) {
    const entry = 10 + at * 12;
    bytes.writeUInt16LE(tag, entry);
    bytes.writeUInt16LE(long, entry + 2);
    bytes.writeUInt32LE(1, entry + 4);
    bytes.writeUInt32LE(value, entry + 8);
  }
  return bytes;
}

/** A GIF that says that it, and its frames, are as large. */
export async function gif(width: number, height: number): Promise<Buffer> {
  const small = await animation(2, 8, 8).gif().toBuffer();
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  size.copy(small, 6);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0]);
  for (let at = small.indexOf(frame); at !== -1; at = small.indexOf(frame, at + 1)) size.copy(small, at + 5);
  return small;
}

/** Puts a file into `public/uploads` of a project. */
export function putFile(projectDir: string, name: string, content: string | Uint8Array): void {
  const path = join(projectDir, 'public/uploads', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The image processes that a server has started; none where the system does not say. */
export const imageProcessesOf = (pid: number): readonly number[] => processesOf(pid, 'image-process');

/** Hundredths of seconds that a process has computed for. */
export function computedFor(pid: number): number {
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
  const fields = after.split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Whether the system tells what processes do. */
export const tellsOfProcesses = existsSync('/proc/self/stat');

/** Looks again until it is so, twenty times a second; gives up after twenty seconds if nothing else is said. */
export const until = (holds: () => boolean, seconds = 20): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: seconds * 1000 }).then(
    () => true,
    () => false,
  );
