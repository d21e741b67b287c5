/** A bucket of Amazon's with no settings but its name and region. */
export const s3Settings = {
  bucket: 'media',
  region: 'eu-central-1',
  endpoint: undefined,
  forcePathStyle: false,
  prefix: undefined,
  baseUrl: undefined,
  private: false,
};
