/** What a media attribute with `allowedTypes` calls files of a media type. */
export function fileKind(mediaType: string): string {
  const [kind] = mediaType.split('/', 1);
  return kind === 'image' || kind === 'video' || kind === 'audio' ? `${kind}s` : 'files';
}
