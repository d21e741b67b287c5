/** Schema files, right and wrong, and the model that is loaded from them. */
import { type LoadOptions, type LoadResult, loadModel } from '../../src/model/load/load-model.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type Files, writeFiles } from './write-files.ts';

export const schemaPath = (name: string) => `src/api/${name}/content-types/${name}/schema.json`;
export const typeFile = (name: string, attributes: object, more: object = {}): Files => ({
  [schemaPath(name)]: {
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: 'Name' },
    attributes,
    ...more,
  },
});
export const componentFile = (name: string, attributes: object): Files => ({
  [`src/components/shared/${name}.json`]: { collectionName: `components_shared_${name}s`, attributes },
});

/** In a test: the result for a project of these files alone. */
export function loadFiles(files: Files, options: Partial<LoadOptions> = {}): LoadResult {
  const dir = temporaryFolder();
  writeFiles(dir, files);
  return loadModel(dir, { customFields: {}, asStrapi: false, ...options });
}

/** A folder for types, of which there are none. */
export const noTypes: Files = { 'src/api/.gitkeep': '' };
