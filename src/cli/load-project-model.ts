import type { Config } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import type { ContentModel, ModelError } from '../model/content-model.ts';
import { loadModel } from '../model/load-model.ts';

/** The content model of a project. Throws a `StartError` with every mistake in the schema files. */
export function loadProjectModel(config: Pick<Config, 'dir' | 'customFields'>): ContentModel {
  const loaded = loadModel(config.dir, { customFields: config.customFields });
  if (!loaded.ok) throw new StartError(loaded.errors.map(describeModelError));
  return loaded.model;
}

const describeModelError = ({ file, path, problem, remedy }: ModelError) =>
  `${[file, path, problem].filter((part) => part !== '').join(': ')}. ${remedy}`.trim();
