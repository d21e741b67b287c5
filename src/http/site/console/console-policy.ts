/** What the content security policy of `/console` allows besides that of other pages. */
import type { Config } from '../../../config/config.ts';
import { originsOf } from '../../../config/preview.ts';
import { bucketOrigins } from '../../../media/storage/s3-urls.ts';

export function consolePolicy({ console, s3, upload }: Pick<Config, 'console' | 's3' | 'upload'>): Readonly<Record<string, string>> {
  const { bucket } = s3;
  // Private files are redirected to the bucket, and policies apply to redirects as well.
  const stored = upload.provider === 's3' && bucket !== undefined ? bucketOrigins({ ...s3, bucket }) : [];
  const media = ["'self'", 'data:', 'blob:', ...stored].join(' ');
  const frames = originsOf(console.preview);
  return {
    // The editor of blocks parses pasted HTML, in a document without scripts that is never shown.
    'trusted-types': 'ProseMirrorClipboard',
    'img-src': media,
    'media-src': media,
    ...(frames.length === 0 ? {} : { 'frame-src': frames.join(' ') }),
  };
}
