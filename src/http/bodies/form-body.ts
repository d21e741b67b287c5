import qs from 'qs';
import type { Limits } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Reads a form with bracketed keys: `data[name]=Form&data[count]=3`. All values are texts. Input
 *  beyond a limit is refused, never dropped, and so is `__proto__`, as in JSON. */
export function parseForm(text: string, { bodyDepth, parameters }: Pick<Limits, 'bodyDepth' | 'parameters'>): unknown {
  try {
    return qs.parse(text, {
      // The form itself counts as a level.
      depth: bodyDepth - 1,
      strictDepth: true,
      parameterLimit: parameters,
      arrayLimit: parameters,
      throwOnLimitExceeded: true,
      // Without these two, qs silently drops keys like `constructor` together with their values.
      plainObjects: true,
      allowPrototypes: true,
      decoder(part, decode, charset, kind) {
        const decoded: unknown = decode(part, undefined, charset);
        // qs drops this key whatever its options are.
        if (kind === 'key' && typeof decoded === 'string' && /(?:^|\[)__proto__(?:[\][]|$)/.test(decoded)) {
          throw ApiError.of('body.invalid-json', { problem: 'Object contains forbidden prototype property' });
        }
        return decoded;
      },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // qs distinguishes the limits only by its message.
    throw error.message.startsWith('Input depth')
      ? ApiError.of('limit.body-depth', { limit: bodyDepth })
      : ApiError.of('limit.form-parameters', { limit: parameters });
  }
}
