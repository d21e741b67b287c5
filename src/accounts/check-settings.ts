/** Compares the settings that the configuration gives with the database. */
import { type ConfiguredSettings, describeIgnored, type StoredKey, storedKeys, withConfigured } from '../config/stored-settings.ts';
import type { Database } from '../dialects/database.ts';
import { roleRows } from '../rights/role-store.ts';
import { readSetting } from '../tables/settings-store.ts';
import { didYouMean } from '../text/nearest.ts';

export interface SettingsCheck {
  /** Why the server must not start. */
  readonly problems: readonly string[];
  /** A line for each setting that has no effect. */
  readonly ignored: readonly string[];
}

/** `declaredRoles`: types of roles that the start will create. */
export async function checkSettings(
  database: Database,
  configured: ConfiguredSettings,
  declaredRoles: readonly string[] = [],
): Promise<SettingsCheck> {
  if (configured.settings.length === 0) return { problems: [], ignored: [] };
  return database.read(async (connection) => {
    const stored = new Map<StoredKey, unknown>();
    for (const key of storedKeys) stored.set(key, await readSetting(connection, key));
    const roles = (await roleRows(connection)).map(({ type }) => String(type));
    const advanced = stored.get('plugin_users-permissions_advanced');
    return {
      problems: defaultRoleProblems(advanced, configured, [...roles, ...declaredRoles]),
      ignored: describeIgnored(stored, configured),
    };
  });
}

/** The type of the role of newly registered users. */
export async function defaultRoleOf(database: Database, configured: ConfiguredSettings): Promise<string> {
  const key = 'plugin_users-permissions_advanced';
  const stored = await database.read((connection) => readSetting(connection, key));
  return String(withConfigured(stored, key, configured).default_role);
}

/** Reports a default role that does not exist. `stored` is the row of the settings. */
export function defaultRoleProblems(stored: unknown, configured: ConfiguredSettings, roles: readonly string[]): readonly string[] {
  const role = configured.settings.find(({ path }) => path === 'auth.defaultRole')?.configured;
  const { default_role: effective } = withConfigured(stored, 'plugin_users-permissions_advanced', configured);
  if (typeof role !== 'string' || effective !== role || roles.includes(role)) return [];
  const known = [...new Set(roles)];
  return [
    `auth.defaultRole is ${JSON.stringify(role)}, but there is no such role; there are ${known.join(', ')}.${didYouMean(role, known)}`,
  ];
}
