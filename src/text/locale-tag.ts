// The form of RFC 5646 tags that Strapi accepts: a language, then subtags.
const pattern = /^(?=.{1,35}$)[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** Whether the text may be the code of a locale in a request. */
export const isLocaleTag = (text: string): boolean => pattern.test(text);
