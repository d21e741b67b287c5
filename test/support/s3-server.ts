/** A bucket on this machine, which can be made to fail. It verifies signatures of headers, and none of presigned addresses' expiry. */
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { listen } from './listen.ts';
import type { Environment } from './server.ts';
import { useMade } from './use-made.ts';

export interface S3Request {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
}

/** How requests fail; undefined if they succeed. `falls silent`: no response ever; `is late`: the usual response, after some seconds. */
export type S3Failure = 'hangs up' | 'falls silent' | 'is late' | 'denied' | 'no bucket' | undefined;

export interface S3Server {
  readonly endpoint: string;
  /** For a server whose files are in the bucket. */
  readonly env: Environment;
  /** Since the last call of `forget`. */
  readonly requests: readonly S3Request[];
  forget(): void;
  /** From the next request on; undefined: all is well again. */
  failing(how: ((request: S3Request) => S3Failure) | undefined): void;
  /** Names of all objects, in order. */
  names(): Promise<readonly string[]>;
  head(name: string): Promise<HeadObjectCommandOutput>;
  bytes(name: string): Promise<Uint8Array>;
  /** Behind the server's back. */
  remove(name: string): Promise<void>;
}

/** Milliseconds; longer than the server waits for a bucket that does not respond. */
const lateness = 4000;

const bucket = 'media';
const key = 'S3RVER';

async function startS3(): Promise<S3Server & { close(): Promise<void> }> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const directory = mkdtempSync(join(tmpdir(), 'lectern-s3-'));
  const s3rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await s3rver.configureBuckets();
  const handle = s3rver.callback();
  const requests: S3Request[] = [];
  let failing: ((request: S3Request) => S3Failure) | undefined;
  const server = http.createServer((request, response) => {
    const { method = '', url = '' } = request;
    requests.push({ method, url });
    const failure = failing?.({ method, url });
    if (failure === 'hangs up') request.destroy();
    else if (failure === 'falls silent') request.resume();
    else if (failure === 'is late') setTimeout(() => handle(request, response), lateness);
    // After the body: a client that gets a response while it sends the body may find the connection closed instead.
    else if (failure !== undefined) request.resume().on('end', () => refuse(response, failure));
    // Giving up an upload in parts is what s3rver does not know.
    else if (method === 'DELETE' && url.includes('uploadId=')) response.writeHead(204).end();
    else handle(request, response);
  });
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: key, secretAccessKey: key },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    endpoint,
    env: {
      LECTERN_UPLOAD_PROVIDER: 's3',
      AWS_BUCKET: bucket,
      AWS_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: key,
      AWS_SECRET_ACCESS_KEY: key,
      LECTERN_S3_FORCE_PATH_STYLE: 'true',
    },
    get requests() {
      return requests;
    },
    forget() {
      requests.length = 0;
    },
    failing(how) {
      failing = how;
    },
    async names() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map(({ Key = '' }) => Key).sort();
    },
    head: (name) => client.send(new HeadObjectCommand({ Bucket: bucket, Key: name })),
    async bytes(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: name }));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }));
    },
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      s3rver.logger.exceptions.unhandle();
      s3rver.logger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Called in the body of a `describe`, before the project that uses it. */
export function useS3(): S3Server {
  const present = useMade(startS3);
  return {
    get endpoint() {
      return present().endpoint;
    },
    get env() {
      return present().env;
    },
    get requests() {
      return present().requests;
    },
    forget: () => present().forget(),
    failing: (how) => present().failing(how),
    names: () => present().names(),
    head: (name) => present().head(name),
    bytes: (name) => present().bytes(name),
    remove: (name) => present().remove(name),
  };
}

const codes = { denied: [403, 'AccessDenied'], 'no bucket': [404, 'NoSuchBucket'] } as const;

function refuse(response: http.ServerResponse, failure: keyof typeof codes): void {
  const [status, code] = codes[failure];
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
