/** What the storage in buckets uses of AWS's SDK. A bundle has only the commands named here. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
export { Upload } from '@aws-sdk/lib-storage';
export { getSignedUrl } from '@aws-sdk/s3-request-presigner';
export { WatchedHandler } from './s3-watched-handler.ts';
