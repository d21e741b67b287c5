/** `lectern make`: writes the schema files of a content type or a component. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import type { SchemaFileKind } from '../../model/schema-file/schema-file-kinds.ts';
import { type AttributeNotation, readAttribute } from '../../schema-files/attribute-notation.ts';
import {
  type FileChange,
  nameProblem,
  notationProblems,
  type PlannedFiles,
  type Present,
  planComponent,
  planType,
  pluralOf,
} from '../../schema-files/new-schema.ts';
import { presentSchemas } from '../../schema-files/present-schemas.ts';
import { writeSchemaFiles } from '../../schema-files/write-schema-files.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';

interface MakeTypeOptions extends ProjectOptions {
  readonly plural?: string;
  readonly single?: boolean;
  readonly draftAndPublish?: boolean;
  readonly localized?: boolean;
}

export async function makeType(name: string, notations: readonly string[], options: MakeTypeOptions): Promise<number> {
  const { plural, single = false, draftAndPublish = false, localized = false } = options;
  const problems = [nameProblem(name, 'The name'), ...(plural === undefined ? [] : [nameProblem(plural, 'The plural name')])];
  const attributes = readAttributes(notations, problems, 'content-type');
  const { config } = loadProject(options);
  const type = { singularName: name, pluralName: plural ?? pluralOf(name), single, draftAndPublish, localized, attributes };
  const changes = await make(config, (present) => planType(type, present));
  const path = single ? name : type.pluralName;
  process.stdout.write(
    `${describeChanges(changes)}It is served at ${config.api.prefix}/${path} after the next start; \`lectern dev\` reloads by itself. Full-access tokens may use it; permissions.json gives rights to other callers.\n`,
  );
  return exitCodes.done;
}

/** `uid`: `shared.seo` */
export async function makeComponent(uid: string, notations: readonly string[], options: ProjectOptions): Promise<number> {
  const [category = '', name = '', ...more] = uid.split('.');
  const isUid = name !== '' && more.length === 0;
  const example = /^[a-z][a-z0-9-]*$/.test(uid) ? uid : 'seo';
  const problems = isUid
    ? [nameProblem(category, 'The category'), nameProblem(name, 'The name')]
    : [`A component is named category.name, such as shared.${example}; not "${uid}"`];
  const attributes = readAttributes(notations, problems, 'component');
  const { config } = loadProject(options);
  const changes = await make(config, (present) => planComponent({ uid, attributes }, present));
  process.stdout.write(`${describeChanges(changes)}A content type holds it in an attribute such as ${name}:component(${uid}).\n`);
  return exitCodes.done;
}

/** Throws a `StartError` with these problems and those of the notation. */
function readAttributes(
  written: readonly string[],
  problems: readonly (string | undefined)[],
  kind: SchemaFileKind,
): readonly AttributeNotation[] {
  const read = written.map(readAttribute);
  const attributes = read.flatMap((each) => (each.ok ? [each.attribute] : []));
  const unread = read.flatMap((each) => (each.ok ? [] : [each.problem]));
  const wrong = unread.length > 0 ? unread : notationProblems(attributes, kind);
  const all = [...problems, ...wrong].filter((problem) => problem !== undefined);
  if (all.length > 0) throw new StartError(all, exitCodes.usage);
  return attributes;
}

async function make(config: Config, plan: (present: Present) => PlannedFiles): Promise<readonly FileChange[]> {
  // A project made by hand may not have the folder yet.
  mkdirSync(join(config.dir, 'src/api'), { recursive: true });
  const planned = plan(presentSchemas(config.dir, await loadProjectModel(config)));
  if (!planned.ok) throw new StartError(planned.problems);
  await writeSchemaFiles(config, planned.changes);
  return planned.changes;
}

const describeChanges = (changes: readonly FileChange[]): string =>
  changes.map(({ file, before, added }) => (before === undefined ? `Made ${file}\n` : `Added ${added.join(', ')} to ${file}\n`)).join('');
