import type { JsonShape } from './setting.ts';

/** Numbers of former versions by content type: `{"api::article.article": 200, "api::log.log": 0}`. */
export const versionsByType: JsonShape<Readonly<Record<string, number>>> = {
  shape: 'an object of content types and whole numbers from 0 to 1000',
  fallback: {},
  read: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const isCount = (each: unknown) => Number.isInteger(each) && Number(each) >= 0 && Number(each) <= 1000;
    return Object.values(value).every(isCount) ? (value as Readonly<Record<string, number>>) : undefined;
  },
};
