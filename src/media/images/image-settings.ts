/** The settings for images in the configuration and in Strapi's admin panel. */
import { type ConfiguredSettings, withConfigured } from '../../config/stored-settings.ts';
import type { Connection } from '../../dialects/database.ts';
import { readSetting } from '../../tables/settings-store.ts';
import type { ImageSettings } from './images.ts';

const key = 'plugin_upload_settings';
/** Strapi's defaults for a new project. */
const defaults: ImageSettings = { sizeOptimization: true, responsiveDimensions: true, autoOrientation: false };

/** Read for each upload: the panel of a Strapi on the same database may change them at any time. */
export async function readImageSettings(connection: Connection, configured: ConfiguredSettings): Promise<ImageSettings> {
  const settings = withConfigured(await readSetting(connection, key), key, configured);
  const flags = Object.entries(defaults).map(([name, byDefault]) => {
    const value = settings[name];
    return [name, typeof value === 'boolean' ? value : byDefault];
  });
  return Object.fromEntries(flags);
}
