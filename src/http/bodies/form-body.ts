import qs from 'qs';
import type { Limits } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Reads a form with bracketed keys: `data[name]=Form&data[count]=3`. All values are texts. Whatever goes beyond a limit is refused, never
 *  dropped, and so is `__proto__`, as in JSON. */
export function parseForm(text: string, { bodyDepth, parameters }: Pick<Limits, 'bodyDepth' | 'parameters'>): unknown {
  try {
    return qs.parse(text, {
      // The form itself is a level, too.
      depth: bodyDepth - 1,
      strictDepth: true,
      parameterLimit: parameters,
      arrayLimit: parameters,
      throwOnLimitExceeded: true,
      // Without these two, qs leaves out keys like `constructor` together with their values, and nobody is told.
      plainObjects: true,
      allowPrototypes: true,
      decoder(part, decode, charset, kind) {
        const decoded: unknown = decode(part, undefined, charset);
        // qs leaves this one out whatever its options say.
        if (kind === 'key' && typeof decoded === 'string' && /(?:^|\[)__proto__(?:[\][]|$)/.test(decoded)) {
          throw ApiError.of('body.invalid-json', { problem: 'Object contains forbidden prototype property' });
        }
        return decoded;
      },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // qs tells the limits apart by its message only.
    throw error.message.startsWith('Input depth')
      ? ApiError.of('limit.body-depth', { limit: bodyDepth })
      : ApiError.of('limit.form-parameters', { limit: parameters });
  }
}
