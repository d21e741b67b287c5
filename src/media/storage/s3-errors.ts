/** The meaning of a failed request to a bucket: the same error for every caller, and for the operator what to do. */

import { ApiError } from '../../errors/api-error.ts';
import { codeOf } from '../../errors/system-error.ts';

const actions = 's3:PutObject, s3:GetObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects, and s3:ListBucket on itself';

/** Returns a sentence. It repeats only the name and the message of the error: other members hold parts of signatures. */
export function describeS3Error(error: unknown, bucket: string): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  switch (name) {
    case 'NoSuchBucket':
      return noBucket(bucket);
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `The bucket ${bucket} is in another region (s3.region): ${message}`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `The bucket ${bucket} does not know this key, or its secret is another one (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)`;
    case 'CredentialsProviderError':
      return `There is no key for the bucket ${bucket} (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, or a role of the machine)`;
  }
  switch (statusOf(error)) {
    case 301:
      return `The bucket ${bucket} is in another region (s3.region)`;
    case 403:
      return `The bucket ${bucket} refuses the request: is the key right (AWS_ACCESS_KEY_ID), and does its policy allow ${actions}?`;
    default:
      // A host name that resolves to several IP addresses fails with an error that has a code and no message.
      return `The bucket ${bucket} does not respond correctly: ${[...new Set([name, codeOf(error) ?? '', message])].filter((part) => part !== '').join(': ')}`;
  }
}

export const noBucket = (bucket: string): string => `There is no bucket ${bucket} (s3.bucket, s3.region, s3.endpoint)`;

export const s3Error = (error: unknown, bucket: string): ApiError =>
  error instanceof ApiError ? error : ApiError.causedBy(new Error(describeS3Error(error, bucket)), 'upload.storage', undefined);

/** The HTTP status of the response; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  const status = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}
