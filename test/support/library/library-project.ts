/** The library as a project folder with a database that holds it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../../src/config/load-config.ts';
import { writeContent } from '../../../src/demo-content/write-content.ts';
import { openDatabase } from '../../../src/dialects/open-database.ts';
import { prepareDatabase } from '../../../src/migrations/prepare-database.ts';
import { loadModel } from '../../../src/model/load/load-model.ts';
import type { EngineName } from '../engines.ts';
import { makeProject, type Project, postgresTemplate } from '../project.ts';
import { libraryContent, tokens } from './content.ts';
import { librarySchemas } from './schemas.ts';

/** The smallest image there is, for `/uploads/`. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

/** The database file of the first one of this process. */
let sqliteFile: Buffer | undefined;

export async function libraryProject(engine: EngineName): Promise<Project> {
  const template = engine === 'postgres' ? await postgresTemplate('library', fillPostgres) : undefined;
  const project = await makeProject(engine, librarySchemas, undefined, template);
  const image = join(project.dir, 'public/uploads/lamp.png');
  for (const path of [image, project.file]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(image, pixel);
  if (engine === 'sqlite' && sqliteFile !== undefined) writeFileSync(project.file, sqliteFile);
  else if (template === undefined) await fill(project);
  if (engine === 'sqlite') sqliteFile ??= readFileSync(project.file);
  return project;
}

async function fillPostgres(url: string): Promise<void> {
  const project = await makeProject('postgres', librarySchemas, url);
  await fill(project).finally(() => project.remove());
}

async function fill(project: Project): Promise<void> {
  const config = loadConfig({ dir: project.dir, environment: project.env, overrides: {} });
  if (!config.ok) throw new Error(config.errors.join('\n'));
  const loaded = loadModel(project.dir, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(loaded.errors.map(({ file, path, problem }) => `${file}: ${path}: ${problem}`).join('\n'));
  const database = await openDatabase(config.config.database, { create: true, statementTime: 60_000 });
  try {
    const prepared = await prepareDatabase(database, loaded.model, { migrate: 'auto' });
    if (!prepared.ok) throw new Error(prepared.problems.join('\n'));
    await writeContent(database, loaded.model, libraryContent);
    const { quote, placeholder, comparand, bind } = database.dialect;
    await database.write((connection) =>
      connection.query(
        `UPDATE ${quote('strapi_api_tokens')} SET ${quote('expires_at')} = ${comparand(placeholder(1), 'datetime', 1)} WHERE ${quote('name')} = ${placeholder(2)}`,
        [bind(Date.UTC(2024, 0, 1), 'datetime'), tokens.expired.name],
      ),
    );
  } finally {
    await database.close();
  }
}
