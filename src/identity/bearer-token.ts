/** The token of an `Authorization` header. As in Strapi, only `Bearer` (any letter case and white
 *  space) with exactly one word counts; any other value is an anonymous request: undefined. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const match = bearer.exec(header);
  return match?.[1];
}

// Node has already trimmed the header, so the word ends with the header.
const bearer = /^bearer\s+(\S+)$/i;
