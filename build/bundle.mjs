/** `npm run build`: bundles `src/`, with the packages that it uses, into `dist/`: fewer files to open at the start, and few packages to install.
 *  README.md in this folder has the reasons. Types are checked by `npm run types`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licensesOf, packagesOf } from './licenses.mjs';
import { keepLines } from './line-maps.mjs';
import { absent, installed } from './packages.mjs';
import { sbomOf } from './sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dir = fileURLToPath(new URL('../dist', import.meta.url));

/** The programs of processes and threads. They share files with each other, but none with the command, whose files have much that they do not need. */
const programs = {
  'read-thread': 'src/pipeline/run/read/read-thread.ts',
  'write-thread': 'src/pipeline/run/write/write-thread.ts',
  'image-process': 'src/media/images/image-process.ts',
  'code-thread': 'src/own-code/code-thread.ts',
  define: 'src/own-code/define.ts',
};

/** Modules that every start of the server needs. They become one file. */
const startOfServer = ['src/cli/cli.ts', 'src/cli/project/start.ts', 'src/app.ts', 'src/dialects/sqlite-connection.ts'];

/** Leaves out commands of Redis that are not used. */
const redisClient = join('@redis', 'client', 'dist', 'lib', 'client');
const redisCommands = {
  name: 'redis-commands',
  resolveId: (id, importer) =>
    id === './command-metadata-data'
      ? join(root, 'build/redis-metadata.cjs')
      : id === '../commands' && dirname(importer).endsWith(redisClient)
        ? join(root, 'build/redis-commands.cjs')
        : undefined,
};

// `npm ci --omit=dev` runs the script `prepare` too, without the packages that it needs.
const bundler = await import('rolldown').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || process.env.npm_lifecycle_event !== 'prepare') throw error;
});
if (bundler === undefined)
  console.error('Not built, because development packages are not installed; `dist` must come from a full install.');
else await build(bundler.rolldown);

async function build(rolldown) {
  const input = {
    cwd: root,
    platform: 'node',
    external: [...installed, ...absent],
    // Its main file loads modules by names that a bundler cannot see.
    resolve: {
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
      // The bundler leaves out the unused parts of ES modules: half of the SDK of AWS.
      mainFields: ['module', 'main'],
    },
    onLog(level, log, report) {
      // The bundle would fail when it is started.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(`${log.message}\nRun \`npm ci\`: a package is missing.`);
      report(level, log);
    },
  };
  const output = {
    dir,
    format: 'esm',
    // Stack traces need the lines only (`src/errors/source-positions.ts`).
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Short names for variables alone: names of functions and lines stay, for stack traces.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
    comments: false,
    // V8 keeps a text with other characters in twice the memory.
    charset: 'ascii',
    entryFileNames: '[name].js',
    // All files are in one folder, so that `new URL('./read-thread.js', import.meta.url)` is right in each of them.
    chunkFileNames: '[name]-[hash].js',
  };

  rmSync(dir, { recursive: true, force: true });
  const chunks = [];
  const needed = new Set();
  const command = await rolldown({
    ...input,
    input: { lectern: 'src/cli/cli.ts' },
    plugins: [redisCommands, collectStaticImports(startOfServer, needed)],
  });
  const codeSplitting = { groups: [{ name: 'server', test: (id) => needed.has(id) }] };
  chunks.push(...(await command.write({ ...output, codeSplitting })).output);
  const others = await rolldown({ ...input, input: programs });
  chunks.push(...(await others.write(output)).output);
  const { minifySync } = await import('rolldown/utils');
  shortenPackages(chunks, minifySync);
  keepLines(dir);
  const { buildPages } = await import('./pages.mjs');
  chunks.push(...(await buildPages({ root, dir: `${dir}/pages` })));
  // Beside the bundles it is compared with the file of the repository, which is published.
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const lockOf = (folder) => JSON.parse(readFileSync(`${root}${folder}package-lock.json`, 'utf8'));
  const beside = [
    { lock: lockOf(''), names: installed },
    { lock: lockOf('node20/'), names: ['better-sqlite3'] },
  ];
  writeFileSync(`${dir}/LICENSES.md`, licensesOf({ modules, beside }));
  writeFileSync(`${dir}/sbom.cdx.json`, sbomOf(JSON.parse(readFileSync(`${root}package.json`, 'utf8')), packagesOf(modules)));
  writeJsonSchemas();
  // The types of the module `lectern`, which hooks and endpoints of a project import.
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}src/own-code`], { stdio: 'inherit' });
}

/** The files that `$schema` in a project's schema files names: `node_modules/lectern/schema/content-type.json`. */
function writeJsonSchemas() {
  mkdirSync(`${root}schema`, { recursive: true });
  for (const kind of ['content-type', 'component']) {
    writeFileSync(`${root}schema/${kind}.json`, execFileSync(process.execPath, [`${root}bin/lectern.js`, 'schema', kind]));
  }
}

/** Adds to `found` the modules that these import, directly or not, without `import()`. */
function collectStaticImports(from, found) {
  return {
    name: 'collect-static-imports',
    buildEnd(error) {
      if (error) return;
      const visit = (id) => {
        const module = this.getModuleInfo(id);
        if (module === null || module.isExternal || found.has(id)) return;
        found.add(id);
        module.importedIds.forEach(visit);
      };
      for (const file of from) visit(root + file);
    },
  };
}

/** Writes files that have nothing but packages without white space, and without a map. */
function shortenPackages(chunks, minifySync) {
  for (const { fileName, moduleIds } of chunks) {
    if (!moduleIds?.length || !moduleIds.every((id) => id.includes('/node_modules/') || id.startsWith('\0'))) continue;
    const file = join(dir, fileName);
    const options = { module: true, compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } };
    const { code, errors } = minifySync(fileName, readFileSync(file, 'utf8'), options);
    if (errors.length > 0) throw new Error(`${fileName}: ${errors[0].message}`);
    writeFileSync(file, code);
    rmSync(`${file}.map`, { force: true });
  }
}
