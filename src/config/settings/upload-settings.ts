/** `upload`: the files that the server receives, and how it handles images. */
import { isObject } from '../../text/json.ts';
import { choice, integer, type JsonShape, json, list, million, numbers, optionalBoolean, optionalText, text } from '../setting.ts';

const imageFormat = {
  shape: 'webp, avif, jpeg or png',
  holds: (value: string) => ['webp', 'avif', 'jpeg', 'png'].includes(value),
};

/** The names become part of file names, so they are restricted. */
const breakpoints: JsonShape<Readonly<Record<string, number>>> = {
  shape: 'an object (JSON in a variable) of names (letters, digits, - and _) and whole numbers from 1 to 10000',
  fallback: { large: 1000, medium: 750, small: 500 },
  read(value) {
    const isValid = (object: object): object is Readonly<Record<string, number>> =>
      Object.entries(object).every(
        ([name, size]) => /^[\w-]{1,50}$/.test(name) && name !== 'thumbnail' && Number.isInteger(size) && size >= 1 && size <= 10_000,
      );
    return isObject(value) && isValid(value) ? value : undefined;
  },
};

export const uploadSettings = {
  sizeLimit: integer(209_715_200, [1, Number.MAX_SAFE_INTEGER], {
    description: 'Bytes of one uploaded file; images are measured after size optimisation',
  }),
  requestLimit: integer(1_073_741_824, [1024, Number.MAX_SAFE_INTEGER], {
    description: 'Bytes of one upload request, all its files together',
  }),
  files: integer(100, [1, 10_000], { description: 'Files of one upload request' }),
  stallTime: integer(30_000, [1000, 3_600_000], { description: 'Milliseconds without a byte after which an upload is aborted' }),
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
  breakpoints: json(breakpoints, { description: 'Variants of uploaded images: name and longest side in pixels' }),
  pixels: integer(100_000_000, [1, 1_000_000_000], { description: 'Pixels of one image, all its frames together' }),
  imageTime: integer(30_000, [100, 3_600_000], { description: 'Milliseconds that processing one image may take' }),
  imageQueue: integer(100, [0, million], { description: 'Images that may wait before further ones get 503' }),
  imageProcesses: integer((facts) => Math.max(1, Math.min(2, facts.cores)), [1, 64], {
    description: 'Processes for images; they start with the first image and end after a while without images',
    fallbackText: 'the number of processor cores, at most `2`',
  }),
  variantSizes: numbers([64, 128, 256, 320, 400, 480, 640, 750, 828, 960, 1080, 1200, 1600, 1920], [1, 10_000], {
    description: 'Widths and heights that anybody may request (`/uploads/x.jpg?width=400`); others need a signature',
  }),
  variantFormats: list(['webp', 'avif', 'jpeg', 'png'], {
    description: 'Formats that anybody may request (`?format=webp`)',
    rule: imageFormat,
  }),
  variantQualities: numbers([50, 75, 80, 90], [1, 100], { description: 'Qualities that anybody may request (`?quality=75`)' }),
  cacheDir: text('.tmp/variants', { description: 'Folder of cached variants, relative to the project' }),
  cacheBytes: integer(1_073_741_824, [0, Number.MAX_SAFE_INTEGER], {
    description: 'Bytes of cached variants; beyond it, the least recently used ones are deleted. 0 caches none',
  }),
  signedFor: integer(900, [60, 604_800], { description: 'Seconds that URLs of private files are valid, at least' }),
};
