/** The small picture of a file, or its kind in letters. */
import { say } from '../words/say.ts';
import { extensionOf, kindOf, type MediaFile, positionOf, thumbnailOf } from './media-file.ts';

export function Thumbnail({ file }: { readonly file: MediaFile }) {
  const picture = thumbnailOf(file);
  if (picture === undefined)
    return (
      <span class="media-thumb media-letters" aria-hidden="true">
        {extensionOf(file) || say(`media.kind.${kindOf(file.mime)}`)}
      </span>
    );
  // The name stands beside it, so screen readers skip it.
  return (
    <img
      class="media-thumb"
      src={picture.url}
      alt=""
      loading="lazy"
      decoding="async"
      width={picture.width}
      height={picture.height}
      style={{ objectPosition: positionOf(file) }}
      draggable={false}
    />
  );
}
