/** Every expected failure: a stable code, its status, Strapi's error name, and its text. Each file has the errors of one heading of `docs/errors.md`,
 *  in the order of the page. */
import { accessErrors } from './access-errors.ts';
import { accountsErrors } from './accounts-errors.ts';
import { apiTokensErrors } from './api-tokens-errors.ts';
import { bodiesErrors } from './bodies-errors.ts';
import { capacityErrors } from './capacity-errors.ts';
import { filesErrors } from './files-errors.ts';
import { imagesErrors } from './images-errors.ts';
import { limitsErrors } from './limits-errors.ts';
import { queriesErrors } from './queries-errors.ts';
import { requestsErrors } from './requests-errors.ts';
import { rolesErrors } from './roles-errors.ts';
import { signInErrors } from './sign-in-errors.ts';
import { writingErrors } from './writing-errors.ts';

/** The errors by the headings of `docs/errors.md`. */
export const errorGroups = {
  'Requests and routes': requestsErrors,
  'Request bodies': bodiesErrors,
  Queries: queriesErrors,
  'Writing documents': writingErrors,
  Access: accessErrors,
  'API tokens': apiTokensErrors,
  Accounts: accountsErrors,
  'Signing in and sessions': signInErrors,
  'Roles and management': rolesErrors,
  'Files and uploads': filesErrors,
  'Images and variants': imagesErrors,
  Limits: limitsErrors,
  'Load, outages and full disks': capacityErrors,
} as const;

export const errorCatalogue = {
  ...requestsErrors,
  ...bodiesErrors,
  ...queriesErrors,
  ...writingErrors,
  ...accessErrors,
  ...apiTokensErrors,
  ...accountsErrors,
  ...signInErrors,
  ...rolesErrors,
  ...filesErrors,
  ...imagesErrors,
  ...limitsErrors,
  ...capacityErrors,
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
export type ErrorArguments<Code extends ErrorCode> = Parameters<(typeof errorCatalogue)[Code]['message']> extends [infer A] ? A : undefined;
