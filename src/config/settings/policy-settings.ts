/** `policies`: the rules in which the profiles differ. A part of the table in `../settings.ts`. */
import { policy } from '../setting.ts';

export const policySettings = {
  partialPut: policy(false, true, { description: 'PUT changes only the attributes that the body names, instead of requiring all of them' }),
  populateWithPagination: policy(false, true, { description: '`populate` and `pagination` may be used in one request' }),
  localeInBody: policy(true, false, {
    description: 'POST honours `locale` in the body, and so does a PUT or PATCH that makes the document of a single type',
  }),
  refuseUndefinedLocale: policy(true, false, { description: 'A locale that is not defined is a 400 instead of matching nothing' }),
  draftsNeedRight: policy(true, false, { description: 'Reading drafts needs the right `findDraft`' }),
  caseSensitiveLike: policy(true, false, {
    description: '`$contains`, `$notContains`, `$startsWith` and `$endsWith` distinguish upper and lower case on every engine',
  }),
  databaseOrder: policy(false, true, {
    description:
      'Sort and compare text by the collation of the database, with nulls where the database puts them. Otherwise text is compared by code point and nulls are the smallest, on every engine',
  }),
  errorCodeInBody: policy(true, false, {
    description: 'The body of an error has its stable code as `error.code`; otherwise the header `X-Error-Code` has it',
  }),
  plainMessages: policy(true, false, {
    description:
      'Messages of Strapi that leave open what was expected are replaced by plainer ones, which name the attribute or parameter, the expected value and the setting; if off, `error.details.hint` has the plainer message',
  }),
  refuseMediaTypes: policy(true, false, {
    description: 'A write whose body is neither JSON nor a form gets a 415 that names the header, instead of a 400 as if it had no body',
  }),
  fillUids: policy(true, false, {
    description:
      "A `uid` with `targetField` that the body of a new document leaves out is made from that attribute's value, with `-1`, `-2` … where it is taken",
  }),
  refusePrototypeNames: policy(true, false, {
    description: 'Keys like `constructor` and `__proto__` in a query are a 400 like any unknown key, instead of being ignored',
  }),
  queriesAsStrapi: policy(false, true, {
    description:
      'Read queries as leniently as Strapi: ignore empty parts, and use one of several contradictory parts, instead of responding with 400',
  }),
  enforceSchemaRules: policy(true, false, { description: 'Writes enforce the rules of the schema that Strapi does not enforce over REST' }),
  syncDrafts: policy(true, false, {
    description:
      'Publishing a locale copies the attributes that are not localized to the drafts of the other locales as well, not only to their published versions',
  }),
  endSessionsAtOnce: policy(true, false, {
    description: 'Logout, block, delete, password and role changes end the sessions concerned at the next request',
  }),
  hideRefreshTokens: policy(true, false, {
    description:
      'Where the refresh token is in a cookie, registering and changing or resetting a password return it there alone, instead of also in the body',
  }),
  rateLimitPerEmail: policy(false, true, {
    description:
      'Endpoints that take an e-mail address count attempts for each e-mail address separately, instead of all attempts of a caller together',
  }),
  resetCodesExpire: policy(true, false, {
    description:
      'The code in a mail about a forgotten password is valid for an hour, instead of until it is used; codes that Strapi created are not valid',
  }),
  dropRefusedFiles: policy(false, true, {
    description: 'Of several uploaded files, those that are not allowed are left out silently, instead of refusing the request',
  }),
  believeMediaTypes: policy(false, true, {
    description:
      'A declared media type that the content does not contradict is believed, instead of requiring that the file begins like others of that type',
  }),
  selectFileFields: policy(true, false, {
    description: '`GET /api/upload/files/:id` honours `fields`, instead of checking it and returning all fields',
  }),
  linkNeedsRight: policy(true, false, {
    description: 'Attaching an upload to a document (`ref`) needs the right `update` on its type, and a document and attribute that exist',
  }),
  mediaNeedsRight: policy(true, false, {
    description:
      'Accept in media attributes only files that the caller may find (`plugin::upload.content-api.find`) and files that are attached already',
  }),
  turnImages: policy(true, false, {
    description:
      'Photographs are rotated upright when they are encoded again and in their variants, also where automatic orientation is off in the media library',
  }),
  keepSmallerOriginals: policy(true, false, {
    description: 'An image that does not become smaller by size optimisation is stored as it was sent, instead of becoming larger',
  }),
  measureAvif: policy(true, false, {
    description: 'The width and height of AVIF images are measured and broken ones are refused, instead of treating them like other files',
  }),
  keepHashedFiles: policy(true, false, {
    description:
      'Browsers and caches may cache uploaded files for a year, because their names are random, instead of asking each time whether they have changed',
  }),
  hideAccounts: policy(true, false, {
    description: 'A request for a confirmation mail gets the same response whether the e-mail address is known, confirmed or blocked',
  }),
};
