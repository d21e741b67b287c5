import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentModel } from '../model/content-model.ts';
import type { Present } from './new-schema.ts';

/** The schemas that a project has. */
export function presentSchemas(dir: string, model: ContentModel): Present {
  return {
    targets: [...model.contentTypes.values()]
      // Nobody gets rights to the types of Strapi's administration.
      .filter(({ uid }) => !uid.startsWith('admin::'))
      .map(({ uid, singularName, pluralName, source, attributes }) => ({
        uid,
        singularName,
        pluralName,
        file: source === 'built in' ? undefined : source,
        attributes: new Set(attributes.keys()),
      })),
    components: [...model.components.keys()],
    textOf(file) {
      try {
        return readFileSync(join(dir, file), 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
        throw error;
      }
    },
  };
}
