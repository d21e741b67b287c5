/** The files that are uploaded. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

export async function makeImages() {
  const sizes = [
    [300, 200],
    [640, 480],
  ];
  return Promise.all(
    sizes.map(([width, height], index) =>
      sharp({ create: { width, height, channels: 3, background: { r: 40 * index, g: 120, b: 200 } } })
        .png()
        .toBuffer(),
    ),
  );
}

/** A multipart body with one file. */
export function fileForm(name, bytes) {
  const boundary = randomBytes(12).toString('hex');
  const type = name.endsWith('.png') ? 'image/png' : 'text/plain';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}
