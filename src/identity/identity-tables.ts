import { roleRulesTable, settingsTable } from '../tables/system-tables.ts';

/** The tables that decide who a caller is, and what the caller may do. */
export const identityTables: readonly string[] = [
  'strapi_api_tokens',
  'strapi_api_token_permissions',
  'strapi_api_token_permissions_token_lnk',
  'strapi_sessions',
  'up_users',
  'up_users_role_lnk',
  'up_roles',
  'up_permissions',
  'up_permissions_role_lnk',
  roleRulesTable,
  settingsTable,
];
