/** Draws the pictures of the example and writes them, and `content/files.json`, which describes them. Run once:
 *  `node make-images.mjs`. Variants are those that an upload would get; they are drawn as well, which packs better than making pictures smaller.
 *  Drawn rather than photographed, so that the repository stays small and nobody's rights are touched. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { source } from '../../bench/source.mjs';

const { wantedFormats } = await source('media/images/wanted-formats.ts');
const { formatRecord } = await source('media/library/format-record.ts');
const { kilobytes } = await source('text/human-size.ts');

const here = import.meta.dirname;
const uploads = join(here, 'public', 'uploads');

// Shapes answer how far a point is outside of them (negative inside); that gives smooth edges for nothing.
const circle = (cx, cy, r) => (x, y) => Math.hypot(x - cx, y - cy) - r;
const ring = (cx, cy, r, width) => (x, y) => Math.abs(Math.hypot(x - cx, y - cy) - r) - width / 2;
const box = (left, top, right, bottom) => (x, y) => Math.max(left - x, x - right, top - y, y - bottom);
const ellipse = (cx, cy, rx, ry) => (x, y) => (Math.hypot((x - cx) / rx, (y - cy) / ry) - 1) * Math.min(rx, ry);
/** Corners clockwise. */
const polygon =
  (...points) =>
  (x, y) => {
    let distance = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < points.length; i++) {
      const [ax, ay] = points[i];
      const [bx, by] = points[(i + 1) % points.length];
      distance = Math.max(distance, ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / Math.hypot(bx - ax, by - ay));
    }
    return distance;
  };
const below = (edge) => (x, y) => edge(x) - y;
const both = (a, b) => (x, y) => Math.max(a(x, y), b(x, y));
const wave =
  (height, amplitude, length, phase = 0) =>
  (x) =>
    height + amplitude * Math.sin((x / length) * 2 * Math.PI + phase);
const contour = (cx, cy, r, wobble) => (x, y) => {
  const angle = Math.atan2(y - cy, x - cx);
  return Math.abs(Math.hypot(x - cx, (y - cy) * 1.25) - r * (1 + wobble * Math.sin(3 * angle + r / 40) + 0.06 * Math.sin(5 * angle))) - 0.9;
};
const color = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** All pictures are drawn on a sheet of 480 by 320 (portraits 160 by 160): [shape, colour, opacity]. `size` is in pixels, where it is not that of the
 *  sheet: some are large enough to have variants. */
const pictures = [
  {
    name: 'lighthouse-at-dusk.png',
    size: [1200, 800],
    alternativeText: 'A white lighthouse with its beam over a violet sea',
    caption: 'Gannet Ness, a little after eight',
    paper: '#4a3f6b',
    shapes: [
      [below(() => 120), '#8a5a83', 1],
      [below(() => 170), '#e08e79', 1],
      [polygon([322, 84], [480, 40], [480, 128]), '#ffe9a8', 0.55],
      [polygon([298, 84], [0, 128], [0, 20]), '#ffe9a8', 0.35],
      [below(wave(222, 3, 90)), '#2f4a66', 1],
      [below(wave(246, 4, 130, 2)), '#243a54', 1],
      [below(wave(282, 5, 170, 4)), '#1a2b40', 1],
      [ellipse(330, 262, 120, 46), '#2a2433', 1],
      [polygon([295, 102], [325, 102], [338, 246], [282, 246]), '#f4efe4', 1],
      [both(polygon([295, 102], [325, 102], [338, 246], [282, 246]), box(270, 140, 350, 168)), '#b5483c', 1],
      [both(polygon([295, 102], [325, 102], [338, 246], [282, 246]), box(270, 196, 350, 222)), '#b5483c', 1],
      [box(290, 96, 330, 102), '#2a2433', 1],
      [box(300, 74, 320, 96), '#ffd76a', 1],
      [polygon([310, 56], [324, 74], [296, 74]), '#b5483c', 1],
    ],
  },
  {
    name: 'loaf-on-board.png',
    size: [960, 640],
    alternativeText: 'A round dark loaf with three cuts, on a wooden board',
    caption: 'Baked dark, left alone until noon',
    paper: '#e9dfc9',
    shapes: [
      [below(() => 230), '#d9c7a3', 1],
      [ellipse(240, 252, 190, 34), '#8f6a43', 1],
      [ellipse(240, 244, 190, 34), '#b98a58', 1],
      [ellipse(240, 180, 138, 84), '#7b431f', 1],
      [ellipse(236, 170, 128, 72), '#a9662f', 1],
      [both(ellipse(186, 160, 16, 56), ellipse(196, 160, 16, 60)), '#ecd3a2', 1],
      [both(ellipse(234, 156, 16, 60), ellipse(244, 156, 16, 64)), '#ecd3a2', 1],
      [both(ellipse(282, 160, 16, 56), ellipse(292, 160, 16, 60)), '#ecd3a2', 1],
      [circle(96, 236, 4), '#f7efdd', 1],
      [circle(112, 246, 3), '#f7efdd', 1],
      [circle(380, 240, 3), '#f7efdd', 1],
    ],
  },
  {
    name: 'contour-sheet.png',
    alternativeText: 'A map with brown contour lines, a stream and a dotted path',
    caption: 'Sheet 114, in part',
    paper: '#f3eddc',
    shapes: [
      [ellipse(120, 250, 150, 70), '#dbe6c4', 1],
      ...[22, 44, 66, 90, 116, 144, 174].map((r) => [contour(310, 140, r, 0.12), '#b98a5e', 1]),
      ...[16, 34, 54].map((r) => [contour(92, 92, r, 0.1), '#b98a5e', 1]),
      [(x, y) => Math.abs(y - (252 + 26 * Math.sin(x / 52) - x * 0.16)) - 2, '#5b94b8', 1],
      ...Array.from({ length: 30 }, (_, i) => [circle(24 + i * 15, 296 - i * 7 - 22 * Math.sin(i / 3.2), 2.2), '#a23b32', 1]),
      [polygon([310, 126], [320, 146], [300, 146]), '#3c3a36', 1],
      [box(0, 106, 480, 106.7), '#9fb3c0', 0.7],
      [box(0, 213, 480, 213.7), '#9fb3c0', 0.7],
      [box(160, 0, 160.7, 320), '#9fb3c0', 0.7],
      [box(320, 0, 320.7, 320), '#9fb3c0', 0.7],
    ],
  },
  {
    name: 'lamp-room.png',
    alternativeText: 'A lens of many glass rings around a small bright lamp',
    caption: 'A lens of the first order',
    paper: '#12222f',
    shapes: [
      [circle(240, 160, 150), '#1d3a4c', 1],
      ...[146, 128, 110, 92, 74, 56].map((r, i) => [ring(240, 160, r, 9), i % 2 === 0 ? '#8fd0cf' : '#5ea5ad', 0.85]),
      [circle(240, 160, 40), '#fff1b8', 0.5],
      [circle(240, 160, 22), '#ffe27a', 1],
      [box(236, 10, 244, 310), '#c49a4a', 1],
      [box(84, 156, 396, 164), '#c49a4a', 1],
      [circle(240, 160, 12), '#fffdf0', 1],
    ],
  },
  {
    name: 'oven-mouth.png',
    alternativeText: 'The glowing mouth of a brick oven',
    caption: 'Four in the morning',
    paper: '#6d3b2c',
    shapes: [
      ...Array.from({ length: 8 }, (_, row) => [box(0, row * 40, 480, row * 40 + 3), '#4f281d', 1]),
      ...Array.from({ length: 48 }, (_, i) => {
        const [row, column] = [Math.floor(i / 6), i % 6];
        const x = column * 90 + (row % 2) * 45;
        return [box(x, row * 40, x + 3, row * 40 + 40), '#4f281d', 1];
      }),
      [both(ellipse(240, 250, 150, 160), box(0, 0, 480, 270)), '#2a1713', 1],
      [both(ellipse(240, 256, 126, 134), box(0, 0, 480, 262)), '#a3331a', 1],
      [both(ellipse(240, 262, 98, 96), box(0, 0, 480, 262)), '#e2711d', 1],
      [both(ellipse(240, 266, 66, 60), box(0, 0, 480, 262)), '#ffc145', 1],
      [box(60, 270, 420, 296), '#3b2420', 1],
    ],
  },
  {
    name: 'harbour-chart.png',
    alternativeText: 'A sea chart with a coast, depth lines, an island and a compass rose',
    caption: 'Port Averil and Skerry Holm',
    paper: '#cfe3ea',
    shapes: [
      [below((x) => 190 + 40 * Math.sin(x / 60) - x * 0.08), '#bcd6e2', 1],
      [(x, y) => Math.abs(y - (170 + 40 * Math.sin(x / 60) - x * 0.08)) - 0.8, '#6f9fb5', 1],
      [(x, y) => Math.abs(y - (140 + 34 * Math.sin(x / 64) - x * 0.06)) - 0.8, '#6f9fb5', 1],
      [below((x) => 236 + 38 * Math.sin(x / 58) - x * 0.07), '#efe3bd', 1],
      [(x, y) => Math.abs(y - (236 + 38 * Math.sin(x / 58) - x * 0.07)) - 1.2, '#7a6a45', 1],
      [ellipse(340, 88, 42, 24), '#efe3bd', 1],
      [(x, y) => Math.abs(ellipse(340, 88, 42, 24)(x, y)) - 1.2, '#7a6a45', 1],
      [ring(92, 84, 50, 1.6), '#a23b32', 1],
      [polygon([92, 28], [100, 84], [84, 84]), '#a23b32', 1],
      [polygon([84, 84], [100, 84], [92, 140]), '#3c3a36', 1],
      [polygon([36, 84], [92, 77], [92, 91]), '#3c3a36', 1],
      [polygon([92, 77], [148, 84], [92, 91]), '#3c3a36', 1],
      ...[
        [210, 60],
        [250, 120],
        [300, 140],
        [420, 130],
        [200, 150],
        [430, 50],
      ].map(([x, y]) => [circle(x, y, 2), '#45718a', 1]),
    ],
  },
  portrait('ines-calloway.png', 'Ines Calloway', '#2f4a66', '#c98b6b', '#3a1f1a'),
  portrait('tobias-marrin.png', 'Tobias Marrin', '#b98a58', '#f0c9a4', '#8a8378'),
  portrait('odile-kervadec.png', 'Odile Kervadec', '#5f7f5a', '#e8b894', '#b5483c'),
];

function portrait(name, who, paper, skin, hair) {
  const shapes = [
    [ellipse(80, 172, 66, 56), '#f4efe4', 1],
    [circle(80, 68, 40), hair, 1],
    [ellipse(80, 80, 30, 36), skin, 1],
    [circle(69, 78, 3), '#2a2433', 1],
    [circle(91, 78, 3), '#2a2433', 1],
    [both(ring(80, 90, 12, 2.4), box(60, 92, 100, 110)), '#7b2f27', 1],
  ];
  return { name, alternativeText: `A drawing of ${who}`, caption: null, paper, shapes, sheet: [160, 160] };
}

function draw({ paper, shapes, sheet = [480, 320] }, [width, height]) {
  const scale = sheet[0] / width;
  const layers = shapes.map(([shape, hex, opacity]) => [shape, color(hex), opacity]);
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) * scale;
      const y = (row + 0.5) * scale;
      let pixel = color(paper);
      for (const [shape, rgb, opacity] of layers) {
        const cover = Math.min(1, Math.max(0, 0.5 - shape(x, y) / scale)) * opacity;
        if (cover > 0) pixel = pixel.map((value, channel) => value + (rgb[channel] - value) * cover);
      }
      // Steps of twelve: few distinct colours pack well, and nobody sees the difference in flat shapes.
      pixel.forEach((value, channel) => {
        rows[row * (width * 3 + 1) + 1 + column * 3 + channel] = Math.min(255, Math.round(value / 12) * 12);
      });
    }
  }
  return rows;
}

function png(picture, size) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size[0], 0);
  header.writeUInt32BE(size[1], 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits a channel, red green blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(draw(picture, size), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

mkdirSync(uploads, { recursive: true });
for (const old of readdirSync(uploads)) rmSync(join(uploads, old));

const breakpoints = { large: 1000, medium: 750, small: 500 };
const boxOf = (name) => (name === 'thumbnail' ? [245, 156] : [breakpoints[name], breakpoints[name]]);

/** Writes a picture, or a variant of it. */
function made(picture, key, size) {
  const bytes = png(picture, size);
  writeFileSync(join(uploads, key), bytes);
  return { width: size[0], height: size[1], size: bytes.length };
}

const documents = pictures.map((picture) => {
  const { name, alternativeText, caption, sheet = [480, 320], size = sheet } = picture;
  // Strapi's rule for names: the name without punctuation and ten hexadecimal digits.
  const hash = `${name.replace('.png', '').replaceAll('-', '_')}_${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
  const stored = { name, hash, ext: '.png', mime: 'image/png' };
  const { width, height, size: bytes } = made(picture, `${hash}.png`, size);
  const formats = wantedFormats({ mime: stored.mime, width, height }, breakpoints).map((format) => {
    const box = boxOf(format);
    const ratio = Math.min(box[0] / width, box[1] / height);
    const variant = made(
      picture,
      `${format}_${hash}.png`,
      size.map((length) => Math.round(length * ratio)),
    );
    return [format, formatRecord(format, stored, variant, `/uploads/${format}_${hash}.png`)];
  });
  return {
    key: name,
    createdAt: '2023-09-01T07:00:00.000Z',
    data: {
      ...{ name, alternativeText, caption, width, height, formats: formats.length === 0 ? null : Object.fromEntries(formats) },
      ...{ hash, ext: '.png', mime: 'image/png', size: kilobytes(bytes) },
      ...{ url: `/uploads/${hash}.png`, provider: 'local', folderPath: '/' },
    },
  };
});
writeFileSync(join(here, 'content', 'files.json'), `${JSON.stringify({ type: 'plugin::upload.file', documents }, null, 2)}\n`);
