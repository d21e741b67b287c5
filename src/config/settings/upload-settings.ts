/** `upload`: the files that the server receives, and what it makes of images. A part of the table in `../settings.ts`. */
import { choice, json, list, million, numbers, optionalBoolean, optionalText, type Reading, text, wholeNumber } from '../setting.ts';

const imageFormat = {
  shape: 'webp, avif, jpeg or png',
  holds: (value: string) => ['webp', 'avif', 'jpeg', 'png'].includes(value),
};

const breakpointsShape = 'an object (JSON in a variable) of names (letters, digits, - and _) and whole numbers from 1 to 10000';

/** The names become part of file names, so they are restricted. */
function readBreakpoints(value: unknown): Reading<Readonly<Record<string, number>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { ok: false, expected: breakpointsShape };
  const entries = Object.entries(value).filter(
    (entry): entry is [string, number] =>
      /^[\w-]{1,50}$/.test(entry[0]) && entry[0] !== 'thumbnail' && Number.isInteger(entry[1]) && entry[1] >= 1 && entry[1] <= 10_000,
  );
  return entries.length === Object.keys(value).length
    ? { ok: true, value: Object.fromEntries(entries) }
    : { ok: false, expected: breakpointsShape };
}

export const uploadSettings = {
  sizeLimit: wholeNumber(
    209_715_200,
    { from: 1, to: Number.MAX_SAFE_INTEGER },
    { description: 'Bytes of one uploaded file; images are measured after size optimisation' },
  ),
  requestLimit: wholeNumber(
    1_073_741_824,
    { from: 1024, to: Number.MAX_SAFE_INTEGER },
    { description: 'Bytes of one upload request, all its files together' },
  ),
  files: wholeNumber(100, { from: 1, to: 10_000 }, { description: 'Files of one upload request' }),
  stallTime: wholeNumber(
    30_000,
    { from: 1000, to: 3_600_000 },
    { description: 'Milliseconds without a byte after which an upload is aborted' },
  ),
  allowedTypes: list([], { description: 'Media types that may be uploaded, e.g. `image/*`; an empty list allows all' }),
  deniedTypes: list([], { description: 'Media types that may not be uploaded; overrides `upload.allowedTypes`' }),
  workDir: optionalText({
    description: 'Temporary folder for uploads, relative to the project; best on the same disk as the uploaded files',
    fallbackText: '`uploads/.incoming` in `publicDir`',
  }),
  provider: choice<'local' | 's3'>({ local: 'local', s3: 's3' }, 'local', {
    description: 'Where files are stored: `uploads/` in `publicDir`, or a bucket (`s3`)',
  }),
  sizeOptimization: optionalBoolean({
    description: 'Whether uploaded images are encoded again to be smaller',
    fallbackText: "the database's, else `true`",
  }),
  responsiveDimensions: optionalBoolean({
    description: 'Whether uploaded images get variants, see `upload.breakpoints`',
    fallbackText: "the database's, else `true`",
  }),
  autoOrientation: optionalBoolean({
    description: 'Whether uploaded images are rotated as their EXIF data says; see also `policies.turnImages`',
    fallbackText: "the database's, else `false`",
  }),
  breakpoints: json<Readonly<Record<string, number>>>(
    breakpointsShape,
    readBreakpoints,
    { large: 1000, medium: 750, small: 500 },
    { description: 'Variants of uploaded images: name and longest side in pixels' },
  ),
  pixels: wholeNumber(100_000_000, { from: 1, to: 1_000_000_000 }, { description: 'Pixels of one image, all its frames together' }),
  imageTime: wholeNumber(30_000, { from: 100, to: 3_600_000 }, { description: 'Milliseconds that processing one image may take' }),
  imageQueue: wholeNumber(100, { from: 0, to: million }, { description: 'Images that may wait before further ones get 503' }),
  imageProcesses: wholeNumber(
    (facts) => Math.max(1, Math.min(2, facts.cores)),
    { from: 1, to: 64 },
    {
      description: 'Processes for images; they start with the first image and end after a while without images',
      fallbackText: 'the number of processor cores, at most `2`',
    },
  ),
  variantSizes: numbers(
    [64, 128, 256, 320, 400, 480, 640, 750, 828, 960, 1080, 1200, 1600, 1920],
    { from: 1, to: 10_000 },
    {
      description: 'Widths and heights that anybody may request (`/uploads/x.jpg?width=400`); others need a signature',
    },
  ),
  variantFormats: list(['webp', 'avif', 'jpeg', 'png'], { description: 'Formats that anybody may request (`?format=webp`)' }, imageFormat),
  variantQualities: numbers([50, 75, 80, 90], { from: 1, to: 100 }, { description: 'Qualities that anybody may request (`?quality=75`)' }),
  cacheDir: text('.tmp/variants', { description: 'Folder of cached variants, relative to the project' }),
  cacheBytes: wholeNumber(
    1_073_741_824,
    { from: 0, to: Number.MAX_SAFE_INTEGER },
    {
      description: 'Bytes of cached variants; beyond it, the least recently used ones are deleted. 0 caches none',
    },
  ),
  signedFor: wholeNumber(900, { from: 60, to: 604_800 }, { description: 'Seconds that URLs of private files are valid, at least' }),
};
