/** Types for the parts of s3rver that the tests use; it has none of its own. */
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
