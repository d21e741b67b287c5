/** `npm run bench`: measures six reads from ten thousand articles, alternating between the built server and other servers with the same content.
 *  Client and servers share this machine: compare ratios first. */
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readOptions, UsageError } from './options.mjs';
import { killAll, load, memoryOf, processorTimeOf, startHandWritten, startLectern, startWriter } from './processes.mjs';
import { makeProject } from './project.mjs';
import { scenarioTable, summary } from './report.mjs';
import { handWritten, makeScenarios } from './scenarios.mjs';

const warmUp = 1;
const starts = 5;
const responseTime = 20_000;
const tell = (text) => process.stderr.write(`${text}\n`);

async function ask(base, path) {
  const response = await fetch(base + path, { signal: AbortSignal.timeout(responseTime) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${base}${decodeURIComponent(path)}: status ${response.status}: ${text.slice(0, 500)}`);
  return { text, json: JSON.parse(text), statements: /statements;desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1] };
}

/** The time from the command to the first response. */
async function timedStart(project, path, cpuProfile) {
  const server = await startLectern(project, cpuProfile);
  await ask(server.base, path);
  return { server, milliseconds: performance.now() - server.since };
}

async function measureStarts(project, path) {
  const times = [];
  for (let i = 0; i < starts; i++) {
    const { server, milliseconds } = await timedStart(project, path);
    times.push(milliseconds);
    await server.stop();
  }
  return times;
}

/** Checks that responses are equal; otherwise the comparison would be meaningless. */
function compare(name, own, other, exactly) {
  if (own.text === other.text) return;
  if (!exactly && isDeepStrictEqual(own.json, other.json)) return;
  const at = [...own.text].findIndex((letter, index) => letter !== other.text[index]);
  const near = ({ text }) => text.slice(Math.max(0, at - 60), at + 60);
  const message = `${name}: the two servers respond differently, at character ${at}:\n  ${near(own)}\n  ${near(other)}`;
  if (exactly) throw new Error(message);
  tell(`Warning: ${message}`);
}

/** The number of statements for the first response, and for later ones with a cached list. */
async function statementsOf(base, path, first) {
  const numbers = [Number(first)];
  for (let i = 0; i < 10; i++) numbers.push(Number((await ask(base, path)).statements));
  const most = Math.max(...numbers);
  const least = Math.min(...numbers);
  return most === least ? String(most) : `${most}, then ${least}`;
}

/** Waits until the server has finished the requests that the end of a round cut off, so that they do not run in the next round. */
async function settle(url) {
  await (await fetch(url, { signal: AbortSignal.timeout(3 * responseTime) })).arrayBuffer();
}

async function measure(scenario, rivals, { seconds, rounds }) {
  const { name, path } = scenario;
  const sides = rivals.map(({ server, base, pid }) => ({ server, pid, url: base + path, rounds: [] }));
  for (const { url } of sides) {
    await load(url, warmUp);
    await settle(url);
  }
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      const before = processorTimeOf(side.pid);
      const figures = await load(side.url, seconds);
      const processor = (processorTimeOf(side.pid) - before) / figures.responses;
      if (figures.failed > 0) throw new Error(`${name}: ${figures.failed} requests to ${side.url} failed`);
      if (figures.responses === 0) throw new Error(`${name}: no response from ${side.url} within ${seconds} s; try more --seconds`);
      await settle(side.url);
      side.rounds.push({ ...figures, processor });
    }
  }
  return sides;
}

async function run(options, cleanUps) {
  const project = await makeProject(options, tell);
  cleanUps.push(project.remove);
  const { names } = options;
  const list = `/api/${names.collection}`;
  tell('Starting …');
  const started = await measureStarts(project, list);
  const { server: lectern } = await timedStart(project, list, options.cpuProfile);
  cleanUps.push(() => lectern.stop());

  // The hand-written server knows only the tables of the example.
  const own = options.database === undefined ? await startHandWritten(project.database) : undefined;
  if (own !== undefined) cleanUps.push(() => own.stop());
  const othersOf = ({ name }) => {
    if (options.against !== undefined) return [{ server: 'other', base: options.against, pid: options.againstPid }];
    return own !== undefined && handWritten.includes(name) ? [{ server: 'hand-written', ...own }] : [];
  };

  const firstStatements = new Map();
  const all = await makeScenarios(names, async (path) => {
    const { json, statements } = await ask(lectern.base, path);
    if (!firstStatements.has(path)) firstStatements.set(path, statements);
    return json;
  });
  const scenarios = all.filter(({ name }) => options.only.some((part) => name.includes(part)));
  if (scenarios.length === 0) throw new UsageError(`--only: no such scenario; there are: ${all.map(({ name }) => name).join('; ')}`);
  const results = [];
  for (const scenario of scenarios) {
    const response = await ask(lectern.base, scenario.path);
    for (const { base } of othersOf(scenario)) {
      compare(scenario.name, response, await ask(base, scenario.path), options.against === undefined);
    }
    const statements = await statementsOf(lectern.base, scenario.path, firstStatements.get(scenario.path));
    results.push({ ...scenario, bytes: Buffer.byteLength(response.text), statements });
  }

  const writer = options.writes > 0 ? startWriter(project.database, names.collection.replaceAll('-', '_'), options.writes) : undefined;
  for (const result of results) {
    tell(`${result.name} …`);
    result.sides = await measure(result, [{ server: 'lectern', ...lectern }, ...othersOf(result)], options);
  }
  const written = await writer?.stop();

  const [{ model } = { model: 'unknown processor' }] = cpus();
  console.log(
    `\nNode ${process.versions.node}, ${availableParallelism()} × ${model.trim()}, 16 connections, rounds of ${options.seconds} s\n`,
  );
  console.log(scenarioTable(results));
  console.log(`\n${summary({ starts: started, memory: memoryOf(lectern.pid), written, writes: options.writes })}`);
}

/** Runs all clean-ups, the last one first, even if one fails. */
async function cleanUp(cleanUps) {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
  killAll();
}

const cleanUps = [];
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    killAll();
    for (const remove of cleanUps) Promise.resolve(remove()).catch(() => undefined);
    process.exit(130);
  });
}
try {
  const options = readOptions(process.argv.slice(2));
  if (options.help !== undefined) console.log(options.help);
  else if (!existsSync(fileURLToPath(new URL('../dist/app.js', import.meta.url))))
    throw new UsageError('Lectern is not built: npm run build');
  else await run(options, cleanUps);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : (error.stack ?? error));
  process.exitCode = 1;
} finally {
  await cleanUp(cleanUps);
}
