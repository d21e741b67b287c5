/** The name of a media type in `allowedTypes` of a media attribute. */
export function fileKind(mediaType: string): string {
  const [kind] = mediaType.split('/', 1);
  return kind === 'image' || kind === 'video' || kind === 'audio' ? `${kind}s` : 'files';
}
