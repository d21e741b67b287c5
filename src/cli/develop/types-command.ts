/** `lectern types`: prints or writes the TypeScript types of a project. It reads only the
 *  configuration and the schema files, unless a custom field needs the database. */
import { relative } from 'node:path';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import type { Manifest } from '../../own-code/protocol.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { typescriptOf } from '../../typescript/typescript-of-model.ts';
import { isUpToDate, writeTypes } from '../../typescript/write-types.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';
import { projectManifest } from '../project/project-manifest.ts';

interface TypesOptions extends ProjectOptions {
  readonly out?: string;
  readonly check?: boolean;
}

export async function types({ out, check, ...project }: TypesOptions): Promise<number> {
  if (check === true && out === undefined) throw new StartError(['--check needs --out: the file to compare'], exitCodes.usage);
  const { config } = loadProject(project);
  const model = await loadProjectModel(config);
  const text = projectTypes(config, model, await projectManifest(config.dir, model));
  if (out === undefined) {
    process.stdout.write(text);
    return exitCodes.done;
  }
  const shown = relative('', out) || out;
  if (check === true) {
    if (isUpToDate(out, text)) return exitCodes.done;
    process.stderr.write(`${shown} is out of date: run \`${lecternCommand('types', project.dir)} --out ${shown}\`.\n`);
    return exitCodes.failed;
  }
  const isChanged = await writeTypes(out, text, config.dir);
  process.stderr.write(isChanged ? `Wrote ${shown}.\n` : `${shown} is up to date.\n`);
  return exitCodes.done;
}

/** The text of the file. `code`: what hooks and endpoints define. */
export function projectTypes(config: Config, model: ContentModel, code: Manifest | undefined): string {
  const rules = { fillUids: config.policies.fillUids, requireRelations: config.api.strictRelations };
  const hasCode = code !== undefined && code.hooks.length + code.endpoints.length > 0;
  return typescriptOf(model, rules, { prefix: config.api.prefix, code: hasCode ? code : undefined });
}
