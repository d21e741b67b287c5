/** Media types whose files begin with a signature. The types of one line share it: names of one
 *  format, and formats in one container. */
const families: readonly (readonly string[])[] = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/png', 'image/apng', 'image/x-png'],
  ['image/gif'],
  ['image/webp'],
  ['image/avif'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  ['image/bmp', 'image/x-bmp', 'image/x-ms-bmp'],
  ['image/tiff', 'image/x-adobe-dng', 'image/x-canon-cr2', 'image/x-nikon-nef', 'image/x-sony-arw'],
  ['image/x-icon', 'image/vnd.microsoft.icon'],
  ['image/jxl'],
  ['image/vnd.adobe.photoshop'],
  ['application/pdf'],
  [
    'application/zip',
    'application/x-zip-compressed',
    'application/epub+zip',
    'application/java-archive',
    'application/vnd.android.package-archive',
    'application/vnd.openxmlformats-officedocument.*',
    'application/vnd.oasis.opendocument.*',
    'application/vnd.ms-word.*',
    'application/vnd.ms-excel.*',
    'application/vnd.ms-powerpoint.*',
    'application/vnd.apple.*',
    'model/3mf',
  ],
  ['application/x-cfb', 'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/vnd.visio'],
  ['application/gzip', 'application/x-gzip'],
  ['application/x-7z-compressed'],
  ['application/vnd.rar', 'application/x-rar-compressed'],
  ['application/rtf', 'text/rtf'],
  [
    ...['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp', 'video/3gpp2', 'application/mp4'],
    ...['audio/mp4', 'audio/x-m4a', 'audio/m4a'],
  ],
  ['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska', 'audio/x-matroska'],
  ['audio/ogg', 'video/ogg', 'application/ogg', 'audio/opus'],
  ['video/vnd.avi', 'video/x-msvideo', 'video/avi'],
  ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave'],
  ['audio/flac', 'audio/x-flac'],
  ['font/woff'],
  ['font/woff2'],
];

const familyOf = (type: string) => families.find((family) => matchesType(type, family));

/** Whether files of the type have a signature; false for MP3, which may begin with anything. */
export const hasSignature = (type: string): boolean => familyOf(type) !== undefined;

/** Whether a file that begins like one of type `found` can be of type `named`. */
export function beginsLike(found: string, named: string): boolean {
  if (found === named) return true;
  // `markupType` has already examined the root element.
  if (found === 'application/xml') return named === 'text/xml' || named.endsWith('+xml');
  if (found === 'application/xhtml+xml') return named === 'text/html';
  const family = familyOf(found);
  return family !== undefined && family === familyOf(named);
}

/** Whether one of the patterns matches the type: `image/*`, `text/plain`. Case does not matter. */
export function matchesType(type: string, patterns: readonly string[]): boolean {
  const name = type.toLowerCase();
  return patterns.some((pattern) => {
    const [first = '', ...others] = pattern.toLowerCase().split('*');
    if (others.length === 0) return name === first;
    const last = others.pop() ?? '';
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    // The pieces between stars, each after the one before.
    let at = first.length;
    return others.every((part) => {
      const found = name.indexOf(part, at);
      at = found + part.length;
      return found !== -1 && at <= name.length - last.length;
    });
  });
}
