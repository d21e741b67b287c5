/** How the schemas of an archive differ from those of the project. */
import { type Attribute, type Component, type ContentModel, type ContentType, schemaOf } from '../model/content-model.ts';
import { isObject, objectAt, stringAt } from '../text/json.ts';
import { describeAttribute } from './archived-schema.ts';
import { archivedSchemas } from './archived-types.ts';

export interface SchemaDifferences {
  /** Content of the archive that the project has no attribute for, or another kind of attribute. */
  readonly lost: readonly string[];
  /** Types and attributes of the project that the archive lacks. */
  readonly absent: readonly string[];
}

const isOfProject = (uid: string) => uid.startsWith('api::') || !uid.includes('::');
/** Strapi adds them, whatever the schema file says. */
const added: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']);

/** Skips plugins' types: they vary with Strapi's version, and those with rows are built in. */
export function compareSchemas(lines: readonly unknown[], model: ContentModel): SchemaDifferences {
  const lost: string[] = [];
  const absent: string[] = [];
  const seen = new Set<string>();
  for (const line of lines) {
    const uid = isObject(line) ? stringAt(line, 'uid') : undefined;
    if (!isObject(line) || uid === undefined || !isOfProject(uid)) continue;
    seen.add(uid);
    const own = schemaOf(model, uid);
    if (own === undefined) {
      lost.push(`${uid}: the project has no such type.`);
      continue;
    }
    compareOptions(uid, line, own, lost);
    const theirs = objectAt(line, 'attributes');
    for (const name of Object.keys(theirs))
      if (!added.has(name)) compareAttribute(`${uid}.${name}`, objectAt(theirs, name), own.attributes.get(name), lost);
    for (const { name, kind } of own.attributes.values()) {
      if (added.has(name) || name === 'id' || name === 'documentId' || Object.hasOwn(theirs, name)) continue;
      absent.push(`${uid}.${name}: the archive has no such attribute (${kind}).`);
    }
  }
  for (const { uid } of archivedSchemas(model))
    if (isOfProject(uid) && !seen.has(uid)) absent.push(`${uid}: the archive has no such type.`);
  return { lost, absent };
}

function compareOptions(uid: string, line: Readonly<Record<string, unknown>>, own: ContentType | Component, lost: string[]): void {
  if (own.kind === 'component') return;
  const drafts = objectAt(line, 'options').draftAndPublish === true;
  const localized = objectAt(objectAt(line, 'pluginOptions'), 'i18n').localized === true;
  if (drafts !== own.draftAndPublish)
    lost.push(`${uid}: draftAndPublish is ${drafts} in the archive and ${own.draftAndPublish} in the project.`);
  if (localized !== own.localized) lost.push(`${uid}: localized is ${localized} in the archive and ${own.localized} in the project.`);
}

function compareAttribute(path: string, theirs: Readonly<Record<string, unknown>>, own: Attribute | undefined, lost: string[]): void {
  if (own === undefined) {
    lost.push(`${path}: the project has no such attribute.`);
    return;
  }
  const mine: Readonly<Record<string, unknown>> = { ...describeAttribute(own) };
  for (const key of ['type', 'relation', 'target', 'component', 'repeatable', 'multiple']) {
    const [there, here] = [theirs[key] ?? false, mine[key] ?? false];
    if (key === 'target' && own.kind === 'relation' && own.relation.startsWith('morph')) continue;
    if (there !== here) lost.push(`${path}: ${key} is ${String(there)} in the archive and ${String(here)} in the project.`);
  }
  const components = Array.isArray(theirs.components) ? theirs.components : [];
  if (own.kind !== 'dynamiczone') return;
  for (const uid of components) {
    if (!own.components.includes(String(uid))) lost.push(`${path}: the zone has no ${String(uid)} in the project.`);
  }
}
