/** A file of the media library, as the API returns it: what the editors read of it. */
export interface MediaFile {
  readonly name: string;
  readonly url: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly [key: string]: unknown;
}
