/** Finds and parses the schema files of a project folder. Other modules check their contents. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, parseJson } from '../../text/json.ts';
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

/** The entries of a folder, sorted by name so that messages and tables have the same order on every machine; undefined if there is no such folder. */
function entries(dir: string): Dirent[] | undefined {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

const folders = (dir: string): string[] => (entries(dir) ?? []).filter((entry) => !entry.isFile()).map((entry) => entry.name);

/** Reads every schema file below `dir`. A file that cannot be read is reported and skipped. */
export function readProject(dir: string, problems: SchemaProblems): SchemaFile[] {
  if (entries(dir) === undefined) {
    problems.report('', '', `${dir} is not a folder that can be read`, 'name the folder of a project with --dir');
    return [];
  }
  if (entries(join(dir, 'src/api')) === undefined) {
    const served = problems.question(
      'src/api',
      '',
      'there is no folder src/api that can be read',
      'a project has its content types in src/api/<name>/content-types/<name>/schema.json and its components in src/components/<category>/<name>.json, ' +
        'like a Strapi 5 project; name its folder with --dir',
    );
    if (!served) return [];
  }
  return [...contentTypes(dir, problems), ...extensions(dir, problems), ...components(dir, problems)];
}

function contentTypes(dir: string, problems: SchemaProblems): SchemaFile[] {
  return folders(join(dir, 'src/api')).flatMap((api) =>
    folders(join(dir, 'src/api', api, 'content-types')).flatMap((folder) => {
      const parent = `src/api/${api}/content-types/${folder}`;
      const location: SchemaLocation = { kind: 'contentType', api, folder };
      return read({ dir, file: `${parent}/schema.json`, location }, problems, () => reportMissing(dir, parent, problems));
    }),
  );
}

function reportMissing(dir: string, parent: string, problems: SchemaProblems): void {
  const code = entries(join(dir, parent))?.find((entry) => /^schema\.[cm]?[jt]s$/.test(entry.name));
  problems.report(
    `${parent}/${code?.name ?? 'schema.json'}`,
    '',
    code === undefined ? 'the folder of this content type has no schema.json' : 'this schema is code, which is not run',
    code === undefined ? 'add the file, or remove the folder' : 'write the same schema as schema.json beside it',
  );
}

function extensions(dir: string, problems: SchemaProblems): SchemaFile[] {
  return folders(join(dir, 'src/extensions')).flatMap((plugin) =>
    folders(join(dir, 'src/extensions', plugin, 'content-types')).flatMap((folder) => {
      const file = `src/extensions/${plugin}/content-types/${folder}/schema.json`;
      return read({ dir, file, location: { kind: 'extension', plugin, folder } }, problems);
    }),
  );
}

function components(dir: string, problems: SchemaProblems): SchemaFile[] {
  return folders(join(dir, 'src/components')).flatMap((category) =>
    (entries(join(dir, 'src/components', category)) ?? [])
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json'))
      .flatMap((entry) =>
        read(
          {
            dir,
            file: `src/components/${category}/${entry.name}`,
            // Strapi makes the uid of a component from its path in lower case.
            location: { kind: 'component', category: category.toLowerCase(), name: entry.name.slice(0, -'.json'.length).toLowerCase() },
          },
          problems,
        ),
      ),
  );
}

/** The schema in a file, or an empty list. Calls `missing` if there is no such file; any other failure is reported. */
function read(
  { dir, file, location }: { readonly dir: string; readonly file: string; readonly location: SchemaLocation },
  problems: SchemaProblems,
  missing: () => void = () => undefined,
): SchemaFile[] {
  let text: string;
  try {
    text = readFileSync(join(dir, file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') missing();
    else problems.report(file, '', `cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'make it a readable file');
    return [];
  }
  const parsed = parseJson(text);
  if (!parsed.ok) {
    problems.report(file, '', `not valid JSON: line ${parsed.line}, column ${parsed.column}: ${parsed.reason}`, 'correct the JSON there');
    return [];
  }
  if (!isObject(parsed.value)) {
    problems.report(file, '', 'a schema is a JSON object', 'write { "info": { … }, "attributes": { … } }');
    return [];
  }
  return [{ file, location, schema: parsed.value }];
}
