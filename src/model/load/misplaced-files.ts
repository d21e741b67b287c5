/** Finds schema files in folders where nobody reads them. Strapi ignores them without a word. */
import { isObject, type JsonObject, objectAt, parseJson, stringAt } from '../../text/json.ts';
import { nearest } from '../../text/nearest.ts';
import type { ProjectFolder } from './project-folder.ts';
import type { SchemaProblems } from './schema-problems.ts';

/** Schema files are shorter, and data in other files is not read. Bytes. */
const maxBytes = 250_000;
/** Further files are not read, and further folders are not listed. */
const maxFiles = 200;
const maxFolders = 500;

export function reportMisplaced(project: ProjectFolder, problems: SchemaProblems): void {
  for (const file of strays(project).slice(0, maxFiles)) {
    const schema = schemaIn(file, project);
    if (schema !== undefined) {
      problems.warn(file, [], 'this schema file is in a folder where it is not read', `move it to ${placeFor(file, schema)}`);
    }
  }
}

/** JSON files beside the places of schema files. */
function strays(project: ProjectFolder): readonly string[] {
  let folders = 0;
  const below = (folder: string, depth: number): readonly string[] => {
    folders += 1;
    if (folders > maxFolders || folder.endsWith('/node_modules')) return [];
    const inner = depth === 0 ? [] : project.folders(folder);
    return [...project.jsonFiles(folder), ...inner.flatMap((each) => below(`${folder}/${each}`, depth - 1))];
  };
  /** `own` is the folder of an API or a plugin, whose types are in `content-types`. */
  const besideTypes = (own: string): readonly string[] => [
    ...project.jsonFiles(own),
    ...project.folders(own).flatMap((folder) => {
      if (folder === 'content-types') return project.jsonFiles(`${own}/${folder}`);
      return folder === 'models' || nearest(folder, ['content-types']) !== undefined ? below(`${own}/${folder}`, 1) : [];
    }),
  ];
  const likely = ['content-types', 'models', 'schemas', 'api', 'components', 'extensions'];
  const atTop = project.folders('.').filter((folder) => likely.includes(folder));
  const inSource = project
    .folders('src')
    .filter((folder) => !['api', 'components', 'extensions'].includes(folder) && nearest(folder, likely) !== undefined);
  return [
    ...atTop.flatMap((folder) => below(folder, 3)),
    ...inSource.flatMap((folder) => below(`src/${folder}`, 3)),
    ...project.jsonFiles('src/api'),
    ...['src/api', 'src/extensions'].flatMap((folder) => project.folders(folder).flatMap((each) => besideTypes(`${folder}/${each}`))),
    ...project.jsonFiles('src/components'),
    ...project
      .folders('src/components')
      .flatMap((category) =>
        project.folders(`src/components/${category}`).flatMap((each) => below(`src/components/${category}/${each}`, 1)),
      ),
  ];
}

/** The schema in a file; undefined if the file has other content. */
function schemaIn(file: string, project: ProjectFolder): JsonObject | undefined {
  const parsed = parseJson(project.readShort(file, maxBytes) ?? '');
  if (!parsed.ok || !isObject(parsed.value) || !isObject(parsed.value.attributes)) return undefined;
  const { info, collectionName, kind, attributes } = parsed.value;
  const isSchema = (isObject(info) || collectionName !== undefined || kind !== undefined) && Object.values(attributes).every(isObject);
  return isSchema ? parsed.value : undefined;
}

/** Where the file belongs. */
function placeFor(file: string, schema: JsonObject): string {
  const steps = file.split('/');
  const stem = (steps.at(-1) ?? '').replace(/(\.settings)?\.json$/, '');
  const singularName = stringAt(objectAt(schema, 'info'), 'singularName');
  const isComponent = steps.includes('components') || (singularName === undefined && schema.kind === undefined && !steps.includes('api'));
  if (isComponent) {
    const category = steps.at(steps[0] === 'src' ? 2 : 1);
    return `src/components/${category === undefined || category.endsWith('.json') ? '<category>' : category}/${stem}.json`;
  }
  const [, top, owner = ''] = steps;
  const name = singularName ?? (stem === 'schema' ? (steps.at(-2) ?? '<name>') : stem);
  if (top === 'extensions') return `src/extensions/${owner}/content-types/${name}/schema.json`;
  const api = top === 'api' && !owner.endsWith('.json') ? owner : name;
  return `src/api/${api}/content-types/${name}/schema.json`;
}
