/** Files in a bucket of Amazon S3 or of a compatible service. */

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { codeOf } from '../../errors/system-error.ts';
import { cacheControl, mediaTypeOfName, servedAs } from '../types/served-as.ts';
import { s3Urls } from './s3-urls.ts';
import type { Storage, StorageKey } from './storage.ts';

/** Parts stay in memory until the bucket has them: the product of these numbers, in bytes. */
const partSize = 5 * 1024 * 1024;
const partsAtATime = 2;
const filesAtATime = 3;
const removalsAtATime = 8;

/** Milliseconds. */
const connectionTimeout = 5000;
const silence = 30_000;
const patienceAtStart = 3000;
/** For the check whether the bucket responds while requests wait for it: large uploads may leave
 *  little of the network to it. Milliseconds. */
const probeTime = 4000;

/** Seconds. Presigned URLs are equal within a window, so that browsers find cached files, and
 *  remain valid through the next window. */
const window = 150;

/** Loads the SDK, which takes longer than the rest of the start. */
export async function openS3Storage({ s3, secrets, policies }: Pick<Config, 's3' | 'secrets' | 'policies'>): Promise<Storage> {
  const { bucket: Bucket } = s3;
  if (Bucket === undefined) throw new Error('a storage in a bucket needs s3.bucket');
  // The operator knows the version of Node, and warnings of the SDK do not belong in this log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('./s3-sdk.ts');
  const requestHandler = { connectionTimeout, socketTimeout: silence };
  const configured = clientConfig(s3, secrets);
  /** Has connections of its own: those of the other requests may be dead. */
  const probes = new sdk.S3Client({ ...configured, requestHandler, maxAttempts: 1 });
  const headBucket = (time: number) => probes.send(new sdk.HeadBucketCommand({ Bucket }), { abortSignal: AbortSignal.timeout(time) });
  const client = new sdk.S3Client({
    ...configured,
    requestHandler: new sdk.WatchedHandler(requestHandler, () =>
      // A bucket that refuses the request, or the connection, still responds.
      headBucket(probeTime).then(
        () => true,
        (error: unknown) => !isAborted(error),
      ),
    ),
  });
  const { prefix, objectOf, keyOfObject, urlOf, keyOf } = s3Urls({ ...s3, bucket: Bucket });
  const object = (key: StorageKey) => ({ Bucket, Key: objectOf(key) });
  const failure = (error: unknown) => s3Error(error, Bucket);
  const uploading = pLimit(filesAtATime);
  const removing = pLimit(removalsAtATime);

  async function* bytes(key: StorageKey, version: string | undefined): AsyncGenerator<Uint8Array> {
    const same = version === undefined ? {} : { IfMatch: version };
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ ...object(key), ...same }));
      if (Body instanceof Readable) yield* Body;
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    provider: 'aws-s3',
    isPrivate: s3.private,
    urlOf,
    keyOf,
    put: (key, path, mediaType) =>
      uploading(async () => {
        const body = createReadStream(path);
        const params = { ...object(key), ...objectHeaders(key, mediaType, policies.keepHashedFiles), Body: body };
        try {
          await new sdk.Upload({ client, params, partSize, queueSize: partsAtATime, leavePartsOnError: false }).done();
        } catch (error) {
          // An error in reading the local file is not a failure of the bucket.
          throw error === body.errored ? error : failure(error);
        } finally {
          body.destroy();
        }
      }),
    async open(key) {
      try {
        const { ContentLength = 0, LastModified = new Date(0), ETag } = await client.send(new sdk.HeadObjectCommand(object(key)));
        return { size: ContentLength, modified: LastModified, stream: () => Readable.from(bytes(key, ETag), { objectMode: false }) };
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw failure(error);
      }
    },
    async remove(keys) {
      // One by one: a removal of many keys needs a checksum that services implement differently.
      const removals = keys.map((key) => removing(() => client.send(new sdk.DeleteObjectCommand(object(key)))));
      // Waits for all removals before it throws the first failure, so that none is left running.
      const failed = (await Promise.allSettled(removals)).find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failure(failed.reason);
    },
    async temporaryUrl(key, method) {
      const command =
        method === 'HEAD' ? new sdk.HeadObjectCommand(object(key)) : new sdk.GetObjectCommand({ ...object(key), ...saved(key) });
      const now = Date.now() / 1000;
      const begun = Math.floor(now / window) * window;
      try {
        const url = await sdk.getSignedUrl(client, command, { expiresIn: 2 * window, signingDate: new Date(begun * 1000) });
        return { url, reusableFor: Math.floor(begun + window - now) };
      } catch (error) {
        throw failure(error);
      }
    },
    async problem() {
      try {
        await headBucket(patienceAtStart);
        return undefined;
      } catch (error) {
        if (isAborted(error)) return `The bucket ${Bucket} does not respond within ${patienceAtStart} ms`;
        return statusOf(error) === 404 ? noBucket(Bucket) : describeS3Error(error, Bucket);
      }
    },
    async *list() {
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix, Delimiter: '/' });
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents) {
            const key = keyOfObject(Key);
            if (key !== undefined) yield { key, size: Size, modified: LastModified };
          }
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

function clientConfig({ region, endpoint, forcePathStyle }: Config['s3'], secrets: Config['secrets']): S3ClientConfig {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey, s3SessionToken: sessionToken } = secrets;
  const known = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    region,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    // Otherwise the SDK finds credentials: the machine's role, or the AWS tools' configuration.
    ...(known ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) } } : {}),
    // Compatible services support only the checksums that the protocol requires.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

/** The headers that the bucket sends with a file. A bucket cannot forbid scripts, so files that
 *  could contain some are sent as attachments. */
function objectHeaders(key: StorageKey, mediaType: string, keepHashedFiles: boolean) {
  const shown = [mediaType, mediaTypeOfName(key)].every((type) => servedAs(type) === 'inline');
  return {
    ContentType: mediaType,
    CacheControl: cacheControl(key, keepHashedFiles),
    ...(shown ? {} : { ContentDisposition: 'attachment' }),
  };
}

/** The same for objects that other programs have stored, by the type of their names. */
const saved = (key: StorageKey) => (servedAs(mediaTypeOfName(key)) === 'inline' ? {} : { ResponseContentDisposition: 'attachment' });

const actions = 's3:PutObject, s3:GetObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects, and s3:ListBucket on itself';

/** Returns a sentence of the error's name and message: other members may contain signatures. */
function describeS3Error(error: unknown, bucket: string): string {
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
    case 'AbortError':
      return `The bucket ${bucket} does not respond: ${message}`;
    case 'CredentialsProviderError':
      return `There is no key for the bucket ${bucket} (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, or a role of the machine)`;
  }
  switch (statusOf(error)) {
    case 301:
      return `The bucket ${bucket} is in another region (s3.region)`;
    case 403:
      return `The bucket ${bucket} refuses the request: is the key right (AWS_ACCESS_KEY_ID), and does its policy allow ${actions}?`;
    default:
      // The error for a host name with several IP addresses has a code and no message.
      return `The bucket ${bucket} does not respond correctly: ${[...new Set([name, codeOf(error) ?? '', message])].filter((part) => part !== '').join(': ')}`;
  }
}

const noBucket = (bucket: string): string => `There is no bucket ${bucket} (s3.bucket, s3.region, s3.endpoint)`;

const s3Error = (error: unknown, bucket: string): ApiError =>
  error instanceof ApiError ? error : ApiError.causedBy(new Error(describeS3Error(error, bucket)), 'upload.storage', undefined);

/** Whether a request was ended because no response arrived in time. */
const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** The HTTP status of the response; undefined when there was none. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  const status = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}
