/** Compares what is stored with what the clients wrote. Nothing may write meanwhile. */
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { source } from '../source.mjs';
import { ask, jsonOf } from './ask.mjs';
import { populateAll, readForm } from './forms.mjs';
import { mayFinish, places, sameState } from './records.mjs';

/** Imported when it is needed, so that a wrong command line is refused at once. */
let projectProblems;

/** Returns what is wrong, as sentences, and sets the records to what is stored.
 *  @returns {Promise<string[]>} */
export async function check(project, records, base) {
  const problems = [];
  await checkWorks(project, records, base, problems);
  await checkFiles(project, records, base, problems);
  projectProblems ??= (await source('../test/support/integrity.ts')).projectProblems;
  problems.push(...(await projectProblems(project)));
  return problems;
}

async function checkWorks({ headers }, records, base, problems) {
  const stored = new Map();
  for (const place of places) {
    const [locale, status] = place.split('.');
    for (let page = 1, pages = 1; page <= pages; page++) {
      const path = `/api/works?status=${status}&locale=${locale}&sort=title&pagination[pageSize]=100&pagination[page]=${page}&${populateAll}`;
      const { data, meta } = jsonOf(await ask(base, { path, headers }), 200);
      pages = meta.pagination.pageCount;
      for (const entry of data) {
        const { key, n, problem } = readForm(entry, true);
        if (problem !== undefined) problems.push(`${place}: ${problem}`);
        const before = stored.get(key) ?? { id: entry.documentId, state: {} };
        if (before.id !== entry.documentId) problems.push(`${key} is two documents: ${before.id}, ${entry.documentId}`);
        if (before.state[place] !== undefined) problems.push(`${key} is twice in ${place}: ${before.state[place]}, ${n}`);
        stored.set(key, { id: before.id, state: { ...before.state, [place]: n } });
      }
    }
  }
  for (const key of stored.keys())
    if (!records.works.has(key)) problems.push(`${key} is stored, though it was never created, or was deleted`);
  for (const work of [...records.works.values()]) {
    const { id, state } = stored.get(work.key) ?? { id: undefined, state: {} };
    const allowed = records.allowed(work, records.clock);
    if (!allowed.some((each) => sameState(each, state)))
      problems.push(`lost: ${work.key} is ${JSON.stringify(state)} instead of ${allowed.map((each) => JSON.stringify(each)).join(' or ')}`);
    if (id !== undefined && work.id !== undefined && id !== work.id) problems.push(`${work.key} has another documentId`);
    records.settle(work, state, id);
  }
}

async function checkFiles({ headers }, records, base, problems) {
  const stored = new Map();
  const list = jsonOf(await ask(base, { path: '/api/upload/files', headers }), 200);
  for (const file of list) {
    if (file.name.startsWith('cover-')) continue;
    if (stored.has(file.name)) problems.push(`${file.name} is stored twice`);
    stored.set(file.name, file);
    const known = records.files.get(file.name);
    if (known === undefined) problems.push(`the file ${file.name} is stored, though it was deleted`);
    else await checkFile(base, file, known, problems);
  }
  for (const known of [...records.files.values()]) {
    const file = stored.get(known.name);
    if (!known.possible.has(file === undefined ? 'gone' : 'there')) problems.push(`lost: the file ${known.name}`);
    if (mayFinish(known)) continue;
    if (file === undefined) records.files.delete(known.name);
    else Object.assign(known, { id: file.id, url: file.url, possible: new Set(['there']), isBusy: false, leftAt: undefined });
  }
}

async function checkFile(base, { name, url, width, height, formats }, { bytes }, problems) {
  const { status, raw } = await ask(base, { path: url });
  if (status !== 200) problems.push(`the file ${name} has status ${status}`);
  else if (!name.endsWith('.png')) {
    if (!raw.equals(bytes)) problems.push(`the file ${name} has other bytes`);
    return;
  }
  for (const image of [{ url, width, height }, ...Object.values(formats ?? {})]) {
    const size = await ask(base, { path: image.url })
      .then((response) => sharp(response.raw).metadata())
      .catch(() => ({}));
    if (size.width !== image.width || size.height !== image.height) problems.push(`the image ${image.url} of ${name} is not complete`);
  }
}

/** `lectern media check` deletes what interrupted uploads and deletions have left, and then finds nothing; no row lacks its file.
 *  @returns {Promise<{problems: string[], deleted: number}>} */
export async function checkMedia({ dir, command }) {
  // The command skips files that are younger than an hour.
  const old = Date.now() / 1000 - 172_800;
  for (const file of filesBelow(join(dir, 'public/uploads'))) utimesSync(file, old, old);
  const first = JSON.parse(await command('media', 'check', '--json', '--repair', '--delete-orphans'));
  const second = JSON.parse(await command('media', 'check', '--json'));
  const problems = first.rowsWithoutFile.map(({ name }) => `media check: ${name} has a row and no file`);
  if (!second.isSound) problems.push(`media check still finds: ${JSON.stringify(second).slice(0, 1000)}`);
  return { problems, deleted: first.filesWithoutRow.length + first.abandonedUploads.folders };
}

const filesBelow = (dir) =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? [...filesBelow(path), path] : [path];
  });
