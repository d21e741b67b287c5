import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { UploadConfig } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Copies a body to its parser as it arrives, until both end or `signal` stops it. A `pipeline`
 *  would destroy the connection with the body, and the client could not read why it was refused.
 *  Rejects with 'upload.malformed', 'upload.stalled' or 'upload.request-too-large'. */
export function copyBody(body: IncomingMessage, parser: Writable, bounds: Bounds, signal: AbortSignal): Promise<void> {
  const { requestLimit, stallTime } = bounds;
  const breaksOff = ApiError.of('upload.malformed', { problem: 'it breaks off' });
  if (body.destroyed || body.readableEnded) return Promise.reject(breaksOff);
  return new Promise<void>((resolve, reject) => {
    let received = 0;
    let ends = 0;
    const end = () => {
      if (++ends === 2) stop(resolve);
    };
    const fail = (error: ApiError) => stop(() => reject(error));
    const silence = setTimeout(() => fail(body.readableEnded ? breaksOff : ApiError.of('upload.stalled', { limit: stallTime })), stallTime);
    const goOn = () => body.resume();

    const take = (chunk: Buffer) => {
      silence.refresh();
      received += chunk.length;
      if (received > requestLimit) {
        fail(ApiError.of('upload.request-too-large', { what: 'bytes', limit: requestLimit, setting: 'upload.requestLimit' }));
      } else if (!parser.write(chunk) && !signal.aborted) {
        body.pause();
        parser.once('drain', goOn);
      }
    };
    const endParser = () => {
      end();
      parser.end();
    };
    const breakOff = () => fail(breaksOff);
    const close = () => {
      if (!body.readableEnded) breakOff();
    };
    const abort = () => stop(resolve);
    const stop = (settle: () => void) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      body.off('data', take).off('end', endParser).off('close', close);
      parser.off('drain', goOn);
      settle();
    };

    signal.addEventListener('abort', abort);
    // These listeners stay: without them a later error would end the process.
    body.on('error', breakOff);
    parser.on('error', breakOff);
    parser.once('finish', end);
    body.on('data', take).on('end', endParser).on('close', close);
  });
}

type Bounds = Pick<UploadConfig, 'requestLimit' | 'stallTime'>;
