/** The request headers that decide the response of a route below `/api`, beside the URL. Shared caches must not serve one caller's response to another,
 *  nor a response whose format a header has changed: `Vary` names them. */
export const varyingHeaders = ['Authorization', 'Strapi-Response-Format', 'Strapi-Encode-Source-Maps'] as const;
