/** The token of an `Authorization` header. Strapi accepts only `Bearer` (any letter case, any amount of white space) followed by exactly one
 *  word; any other value is an anonymous request, not an error. Returns undefined for an anonymous request. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const match = bearer.exec(header);
  return match?.[1];
}

// Node has already trimmed the header, so the word ends with the header.
const bearer = /^bearer\s+(\S+)$/i;
