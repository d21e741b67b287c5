/** The token of an `Authorization` header. Strapi counts only `Bearer` (any letter case, any amount of white space) followed by exactly one
 *  word; everything else is an anonymous request, not an error. Returns undefined for an anonymous request. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const match = bearer.exec(header);
  return match?.[1];
}

// Node has trimmed the header's value already, so the end of the word is the end of the header.
const bearer = /^bearer\s+(\S+)$/i;
