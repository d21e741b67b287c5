import type { ObservedRequest, Observer, ObserverParts } from './observer.ts';
import { RequestRecord } from './request-record.ts';

/** Undefined if metrics, spans and the log of slow requests are off: then
 *  requests are not observed at all. */
export function createObserver({ metrics, begin, slow }: ObserverParts): Observer | undefined {
  if (metrics === undefined && begin === undefined && slow === undefined) return undefined;
  const withTexts = begin !== undefined || slow !== undefined;
  return {
    begin(request): ObservedRequest {
      const at = performance.now();
      return { at, record: new RequestRecord(withTexts, metrics?.elsewhere), span: begin?.(request, at), handled: undefined };
    },
    answered(answered, { span }) {
      metrics?.answered(answered);
      span?.end(answered);
      slow?.(answered);
    },
  };
}
