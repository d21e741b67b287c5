/** Finds and parses the schema files of a project folder. Other modules check their contents. */
import { codeOf, messageOf } from '../../errors/system-error.ts';
import { isObject, type JsonObject, parseJson } from '../../text/json.ts';
import type { Position } from '../../text/json-position.ts';
import { normaliseName } from '../../text/snake-case.ts';
import type { Uid } from '../content-model.ts';
import { reportMisplaced } from './misplaced-files.ts';
import { ProjectFolder } from './project-folder.ts';
import type { SchemaProblems } from './schema-problems.ts';

/** The location of a schema file: Strapi derives the uid from the path. */
export type SchemaLocation =
  | { readonly kind: 'contentType'; readonly api: string; readonly folder: string }
  | { readonly kind: 'component'; readonly category: string; readonly name: string }
  | { readonly kind: 'extension'; readonly plugin: string; readonly folder: string };

export interface SchemaFile {
  /** Relative to the project folder, with `/`. */
  readonly file: string;
  readonly location: SchemaLocation;
  readonly schema: JsonObject;
}

/** The uid of the type or component that a file at this location describes. */
export function uidAt(location: SchemaLocation): Uid {
  switch (location.kind) {
    case 'contentType':
      return `api::${normaliseName(location.api)}.${normaliseName(location.folder)}`;
    case 'component':
      return `${location.category}.${location.name}`;
    case 'extension':
      return `plugin::${location.plugin}.${location.folder}`.toLowerCase();
    default:
      return location satisfies never;
  }
}

/** Reads every schema file below `dir`. A file that cannot be read is reported and skipped. */
export function readProject(dir: string, problems: SchemaProblems): SchemaFile[] {
  const project = new ProjectFolder(dir);
  if (project.entries('.') === undefined) {
    problems.report('', [], `${dir} is not a folder that can be read`, 'name the folder of a project with --dir');
    return [];
  }
  reportMisplaced(project, problems);
  if (project.entries('src/api') === undefined) {
    const served = problems.question(
      'src/api',
      [],
      'there is no folder src/api that can be read',
      'a project has its content types in src/api/<name>/content-types/<name>/schema.json and its components in src/components/<category>/<name>.json, ' +
        'like a Strapi 5 project; name its folder with --dir',
    );
    if (!served) return [];
  }
  return [...contentTypes(project, problems), ...extensions(project, problems), ...components(project, problems)];
}

function contentTypes(project: ProjectFolder, problems: SchemaProblems): SchemaFile[] {
  return project.folders('src/api').flatMap((api) =>
    project.folders(`src/api/${api}/content-types`).flatMap((folder) => {
      const parent = `src/api/${api}/content-types/${folder}`;
      const location: SchemaLocation = { kind: 'contentType', api, folder };
      return read({ project, file: `${parent}/schema.json`, location }, problems, () => reportMissing(project, parent, problems));
    }),
  );
}

function reportMissing(project: ProjectFolder, parent: string, problems: SchemaProblems): void {
  const code = project.entries(parent)?.find((entry) => /^schema\.[cm]?[jt]s$/.test(entry.name));
  if (code !== undefined) {
    problems.report(
      `${parent}/${code.name}`,
      [],
      'this schema is code, which is not run',
      'write the same schema as schema.json beside it',
    );
    return;
  }
  const [other] = project.jsonFiles(parent);
  problems.report(
    `${parent}/schema.json`,
    [],
    'the folder of this content type has no schema.json',
    other === undefined
      ? 'add the file, or remove the folder'
      : `rename ${other.slice(parent.length + 1)} to schema.json, or remove the folder`,
  );
}

function extensions(project: ProjectFolder, problems: SchemaProblems): SchemaFile[] {
  return project.folders('src/extensions').flatMap((plugin) =>
    project.folders(`src/extensions/${plugin}/content-types`).flatMap((folder) => {
      const file = `src/extensions/${plugin}/content-types/${folder}/schema.json`;
      return read({ project, file, location: { kind: 'extension', plugin, folder } }, problems);
    }),
  );
}

function components(project: ProjectFolder, problems: SchemaProblems): SchemaFile[] {
  return project.folders('src/components').flatMap((category) =>
    project.jsonFiles(`src/components/${category}`).flatMap((file) => {
      const name = file.slice(file.lastIndexOf('/') + 1, -'.json'.length);
      // Strapi makes the uid of a component from its path in lower case.
      return read({ project, file, location: { kind: 'component', category: category.toLowerCase(), name: name.toLowerCase() } }, problems);
    }),
  );
}

/** A file's schema, or an empty list. Calls `missing` without a file; reports other failures. */
function read(
  { project, file, location }: { readonly project: ProjectFolder; readonly file: string; readonly location: SchemaLocation },
  problems: SchemaProblems,
  missing: () => void = () => undefined,
): SchemaFile[] {
  const unreadable = (problem: string, remedy: string, position?: Position): [] => {
    problems.report(file, [], problem, remedy, position);
    problems.unreadable.add(uidAt(location));
    return [];
  };
  let text: string;
  try {
    text = project.read(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return unreadable(`cannot be read: ${messageOf(error)}`, 'make it a readable file');
    missing();
    return [];
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return unreadable(`not valid JSON: ${parsed.reason}`, 'correct the JSON there', parsed.position);
  if (!isObject(parsed.value)) return unreadable('a schema is a JSON object', 'write { "info": { … }, "attributes": { … } }');
  return [{ file, location, schema: parsed.value }];
}
