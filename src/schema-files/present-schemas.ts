import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { isNoFile } from '../errors/system-error.ts';
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
    editorSchemas: editorSchemasFor(dir),
    textOf(file) {
      try {
        return readFileSync(join(dir, file), 'utf8');
      } catch (error) {
        if (isNoFile(error)) return undefined;
        throw error;
      }
    },
  };
}

const schemasOfPackage = 'node_modules/lectern/schema';

/** The package is installed in the project or, as npm also finds it, in a folder above it;
 *  otherwise, returns the path of a later installation. */
function editorSchemasFor(dir: string): string {
  const project = resolve(dir);
  for (let folder = project; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, schemasOfPackage))) return posix.join(relative(project, folder).replaceAll(sep, '/'), schemasOfPackage);
  return schemasOfPackage;
}
