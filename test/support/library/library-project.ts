/** The library as a project folder with a database that holds it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { engineSql } from '../engine-sql.ts';
import type { EngineName } from '../engines.ts';
import { makeProject, type Project, postgresTemplate } from '../project.ts';
import { changeIn, fillProject } from '../served-project.ts';
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
  await fillProject(project, libraryContent);
  await changeIn(
    project,
    `UPDATE strapi_api_tokens SET expires_at = ${engineSql[project.database.engine].moment(Date.UTC(2024, 0, 1))} WHERE name = '${tokens.expired.name}'`,
  );
}
