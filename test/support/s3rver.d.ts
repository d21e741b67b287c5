/** What the tests use of s3rver, which has no types. */
declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  interface Options {
    readonly directory: string;
    readonly silent: boolean;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  class S3rver {
    constructor(options: Options);
    configureBuckets(): Promise<void>;
    /** Handles requests of a server of one's own. */
    callback(): RequestListener;
    readonly logger: { close(): void; readonly exceptions: { unhandle(): void } };
  }
  export = S3rver;
}
