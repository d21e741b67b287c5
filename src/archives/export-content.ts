/** Writes the lines of an archive from one snapshot of the database. */
import { setImmediate } from 'node:timers/promises';
import { grouped } from '../collections.ts';
import type { Connection } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { jsonOf } from '../model/attributes/attribute-types.ts';
import { fileUid } from '../model/built-in-types.ts';
import type { Attribute, ContentModel, RelationAttribute, Schema } from '../model/content-model.ts';
import type { ArchiveGroup, LinePart, Link } from './archive-parts.ts';
import {
  componentRows,
  componentsOf,
  countRows,
  entryRows,
  exportedScalars,
  linkRows,
  morphColumnRows,
  morphRows,
  restrictedRights,
  settingRows,
} from './archived-rows-store.ts';
import { archivedSchema } from './archived-schema.ts';
import { archivedSchemas, archivedTypes, isArchived, isArchivedSetting, permissionUid, relationsOf } from './archived-types.ts';

export interface LineWriter {
  line(part: LinePart, text: string): Promise<void>;
}

export interface ExportParts {
  readonly connection: Connection;
  readonly model: ContentModel;
  readonly writer: LineWriter;
  readonly groups: ReadonlySet<ArchiveGroup>;
  /** Called with each row of the media library. */
  readonly file: (row: object) => Promise<void>;
  readonly total: (rows: number) => void;
  readonly advance: (rows: number) => void;
}

export interface ExportedContent {
  entries: number;
  links: number;
  settings: number;
  /** Rights that are left out because they are restricted. */
  restricted: number;
}

export async function exportContent(parts: ExportParts): Promise<ExportedContent> {
  const { connection, model, writer, groups } = parts;
  const done: ExportedContent = { entries: 0, links: 0, settings: 0, restricted: 0 };
  for (const schema of archivedSchemas(model)) await writer.line('schemas', JSON.stringify(archivedSchema(schema)));
  const types = archivedTypes(model).filter(({ uid }) => groups.has('content') || uid === fileUid);
  let rows = 0;
  for (const { table } of types) rows += await countRows(connection, table);
  parts.total(rows);
  const restricted = await restrictedRights(connection);
  done.restricted = restricted.size;
  for (const schema of types) {
    for await (const batch of entryRows(connection, schema)) {
      const members = await membersOf(batch, schema, parts);
      for (const [id, row] of members) {
        if (schema.uid === permissionUid && restricted.has(id)) continue;
        if (schema.uid === fileUid && groups.has('files')) await parts.file(JSON.parse(`{${[`"id":${id}`, ...row].join(',')}}`));
        if (!groups.has('content')) continue;
        await writer.line('entities', `{"type":${JSON.stringify(schema.uid)},"id":${id},"data":{${row.join(',')}}}`);
        done.entries++;
      }
      parts.advance(batch.length);
      // An embedded database responds at once: without this pause, signals could not interrupt.
      await setImmediate();
    }
  }
  if (groups.has('content')) done.links = await exportLinks(parts, restricted);
  if (groups.has('config')) done.settings = await exportSettings(parts);
  return done;
}

/** The members of each row as JSON texts: `"title":"x"`. */
type Members = Map<number, string[]>;

async function membersOf(rows: readonly Row[], schema: Schema, parts: ExportParts): Promise<Members> {
  const scalars = exportedScalars(schema);
  const members: Members = new Map();
  for (const [id, ...values] of rows) {
    const texts = scalars.map(({ name, type }, index) => `${JSON.stringify(name)}:${onOneLine(jsonOf(values[index], type))}`);
    members.set(Number(id), texts);
  }
  if (schema.componentsTable !== undefined) await addComponents(members, schema, parts);
  return members;
}

/** JSON that was written by hand may have line breaks between its values. */
const onOneLine = (json: string): string => (/[\n\r]/.test(json) ? json.replaceAll(/[\n\r]+/g, ' ') : json);

async function addComponents(members: Members, schema: Schema, parts: ExportParts): Promise<void> {
  const { connection, model } = parts;
  if (schema.componentsTable === undefined) return;
  const joins = await componentsOf(connection, schema.componentsTable, [...members.keys()]);
  const instances = new Map<string, Members>();
  for (const [uid, rows] of grouped(joins, ([, , type]) => String(type))) {
    const component = model.components.get(uid);
    // Rows of a component that was removed from the schema files.
    if (component === undefined) continue;
    const ids = new Set(rows.map(([, id]) => Number(id)));
    instances.set(uid, await membersOf(await componentRows(connection, component, [...ids]), component, parts));
  }
  const lists = new Map<number, Map<string, string[]>>();
  for (const [owner, id, uid, field] of joins) {
    const attribute = schema.attributes.get(String(field));
    const instance = instances.get(String(uid))?.get(Number(id));
    if (instance === undefined || attribute === undefined || !accepts(attribute, String(uid))) continue;
    const fields = lists.get(Number(owner)) ?? new Map<string, string[]>();
    lists.set(Number(owner), fields);
    const type = attribute.kind === 'dynamiczone' ? [`"__component":${JSON.stringify(uid)}`] : [];
    fields.set(attribute.name, [...(fields.get(attribute.name) ?? []), `{${[`"id":${String(id)}`, ...instance, ...type].join(',')}}`]);
  }
  for (const [owner, texts] of members) {
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue;
      const list = lists.get(owner)?.get(attribute.name) ?? [];
      const isSingle = attribute.kind === 'component' && attribute.cardinality === 'one';
      texts.push(`${JSON.stringify(attribute.name)}:${isSingle ? (list[0] ?? 'null') : `[${list.join(',')}]`}`);
    }
  }
}

const accepts = (attribute: Attribute, uid: string): boolean =>
  attribute.kind === 'component' ? attribute.component === uid : attribute.kind === 'dynamiczone' && attribute.components.includes(uid);

async function exportLinks(parts: ExportParts, restricted: ReadonlySet<number>): Promise<number> {
  let count = 0;
  for (const schema of archivedSchemas(parts.model)) {
    for (const attribute of relationsOf(schema)) {
      for await (const links of linksOf(schema, attribute, parts)) {
        for (const link of links) {
          if (schema.uid === permissionUid && restricted.has(link.left.ref)) continue;
          await parts.writer.line('links', JSON.stringify(link));
          count++;
        }
        await setImmediate();
      }
    }
  }
  return count;
}

async function* linksOf(schema: Schema, attribute: RelationAttribute, { connection, model }: ExportParts): AsyncGenerator<readonly Link[]> {
  const { storage, relation, target, name: field, inversedBy } = attribute;
  const left = { type: schema.uid, field };
  const isKnown = (type: unknown) =>
    isArchived(String(type)) && (model.contentTypes.has(String(type)) || model.components.has(String(type)));
  if (storage.kind === 'linkTable' && storage.owner && target !== undefined && isArchived(target)) {
    const kind = target === schema.uid ? 'relation.circular' : 'relation.basic';
    for await (const rows of linkRows(connection, storage)) {
      yield rows.flatMap(([, source, to, position, inversePosition]) =>
        source === null || to === null
          ? []
          : [
              {
                kind,
                relation,
                left: { ...left, ref: Number(source), ...(storage.orderColumn === undefined ? {} : { pos: numberOrNull(position) }) },
                right: {
                  type: target,
                  ref: Number(to),
                  ...(inversedBy === undefined ? {} : { field: inversedBy }),
                  ...(storage.inverseOrderColumn === undefined ? {} : { pos: numberOrNull(inversePosition) }),
                },
              },
            ],
      );
    }
  } else if (storage.kind === 'morphLink') {
    for await (const rows of morphRows(connection, storage)) {
      yield rows.flatMap(([, source, type, to, of, position]) =>
        source === null || to === null || !isKnown(type)
          ? []
          : [
              {
                kind: 'relation.morph',
                relation,
                left: { ...left, ref: Number(source) },
                right: { type: String(type), ref: Number(to), field: of === null ? null : String(of), pos: numberOrNull(position) },
              },
            ],
      );
    }
  } else if (storage.kind === 'morphColumns') {
    for await (const rows of morphColumnRows(connection, schema.table, storage)) {
      yield rows.flatMap(([id, type, to]) =>
        to === null || !isKnown(type)
          ? []
          : [{ kind: 'relation.morph', relation, left: { ...left, ref: Number(id) }, right: { type: String(type), ref: Number(to) } }],
      );
    }
  }
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

async function exportSettings({ connection, writer }: ExportParts): Promise<number> {
  let count = 0;
  for (const [id, key, stored, type, environment, tag] of await settingRows(connection)) {
    if (typeof key !== 'string' || !isArchivedSetting(key)) continue;
    const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : null;
    await writer.line(
      'configuration',
      JSON.stringify({ type: 'core-store', value: { id: Number(id), key, value, type, environment, tag } }),
    );
    count++;
  }
  return count;
}
