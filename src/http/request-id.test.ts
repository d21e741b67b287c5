import { describe, expect, it } from 'vitest';
import { requestId } from './request-id.ts';

const idFor = (sent?: string) => requestId({ headers: sent === undefined ? {} : { 'x-request-id': sent } });

describe('the request id', () => {
  it('is the one that was sent', () => expect(idFor('4f1c-AB:1')).toBe('4f1c-AB:1'));
  it('is new for each request that sends none', () => expect(idFor()).not.toBe(idFor()));
  it.each([['a b'], ['x'.repeat(129)], ['a\r\nb'], ['{"json":1}'], ['']])('is not %j', (sent) => expect(idFor(sent)).not.toBe(sent));
});
