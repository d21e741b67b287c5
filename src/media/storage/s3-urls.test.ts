import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { s3Settings } from '../../../test/support/s3-settings.ts';
import { s3Urls } from './s3-urls.ts';

const amazon = 'https://media.s3.eu-central-1.amazonaws.com/';

describe('The address of an object', () => {
  it.each([
    {},
    { region: 'us-east-1' },
    { region: 'cn-north-1' },
    { region: 'us-gov-west-1' },
    { forcePathStyle: true },
    { bucket: 'media.example.org' },
    { endpoint: 'https://minio.example.org' },
    { endpoint: 'https://minio.example.org:9000', forcePathStyle: true },
    { endpoint: 'https://minio.example.org/s3', forcePathStyle: true },
    { endpoint: 'https://minio.example.org/s3' },
    { endpoint: 'http://minio:9000' },
    { endpoint: 'http://127.0.0.1:9000' },
    { endpoint: 'http://[::1]:9000' },
    { endpoint: 'http://minio:9000', bucket: 'media.example.org' },
    { prefix: 'a b/(c)/ü' },
  ])('is the one that requests go to: %j', async (settings) => {
    const s3 = { ...s3Settings, ...settings };
    const { urlOf, objectOf, keyOf } = s3Urls(s3);
    const client = new S3Client({
      region: s3.region,
      forcePathStyle: s3.forcePathStyle,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
    });
    for (const key of ['photo_1234567890.jpg', "é'(1)*!.x y"]) {
      const presigned = await getSignedUrl(client, new GetObjectCommand({ Bucket: s3.bucket, Key: objectOf(key) }));
      expect(urlOf(key)).toBe(presigned.slice(0, presigned.indexOf('?')));
      expect(keyOf(urlOf(key))).toBe(key);
    }
  });

  it('begins with s3.baseUrl where there is one', () => {
    const { urlOf, keyOf } = s3Urls({ ...s3Settings, baseUrl: 'https://cdn.example.org/files', prefix: 'media' });
    expect(urlOf('a.png')).toBe('https://cdn.example.org/files/media/a.png');
    expect(keyOf('https://cdn.example.org/files/media/a.png')).toBe('a.png');
  });
});

describe('The key of an address', () => {
  const { keyOf } = s3Urls({ ...s3Settings, prefix: 'media/', baseUrl: 'https://cdn.example.org' });

  it.each([
    ['of the time before s3.baseUrl', `${amazon}media/a.png`],
    ['with the bucket in the path', 'https://s3.eu-central-1.amazonaws.com/media/media/a.png'],
    ['without the region', 'https://media.s3.amazonaws.com/media/a.png'],
    ['with an encoded slash, as in the responses of S3', `${amazon}media%2Fa.png`],
  ])('is found when it is one %s', (_, url) => {
    expect(keyOf(url)).toBe('a.png');
  });

  it.each([
    ['another bucket', 'https://other.s3.eu-central-1.amazonaws.com/media/a.png'],
    ['a host that begins alike', 'https://cdn.example.org.evil.example/media/a.png'],
    ['another protocol', 'http://cdn.example.org/media/a.png'],
    ['other letter case of the host', 'https://CDN.example.org/media/a.png'],
    ['outside of the prefix', 'https://cdn.example.org/a.png'],
    ['beside the prefix', 'https://cdn.example.org/mediaa.png'],
    ['a folder below the prefix', 'https://cdn.example.org/media/b/a.png'],
    ['a way out of the prefix', 'https://cdn.example.org/media/../a.png'],
    ['an encoded way out', 'https://cdn.example.org/media/%2e%2e%2fa.png'],
    ['dots alone', 'https://cdn.example.org/media/..'],
    ['encoded dots alone', 'https://cdn.example.org/media/%2e%2e'],
    ['a backslash', 'https://cdn.example.org/media/..%5ca.png'],
    ['a NUL', 'https://cdn.example.org/media/a%00.png'],
    ['a broken encoding', 'https://cdn.example.org/media/%e0%a4%a'],
    ['a query', 'https://cdn.example.org/media/a.png?versionId=1'],
    ['a fragment', 'https://cdn.example.org/media/a.png#b'],
    ['no file', 'https://cdn.example.org/media/'],
    ['a file on the disk', '/uploads/a.png'],
    ['nothing', ''],
  ])('is not found for %s', (_, url) => {
    expect(keyOf(url)).toBeUndefined();
  });

  it('is never made into the name of an object outside of the prefix', () => {
    const { objectOf } = s3Urls({ ...s3Settings, prefix: 'media/' });
    for (const key of ['../a', 'b/a', '', '..', '.hidden', 'a\0']) expect(() => objectOf(key)).toThrow('is not the key of a file');
  });
});
