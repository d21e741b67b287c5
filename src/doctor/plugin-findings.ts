/** Plugins: those of `config/plugins`, the project's dependencies and `src/plugins`. */
import { behaviourOf } from '../project-code/behaviour.ts';
import type { Code } from '../project-code/open-code.ts';
import { configFiles, isSource, readModule } from '../project-code/read-module.ts';
import type { SourceFiles } from '../project-code/source-files.ts';
import { called, entryOf } from '../project-code/value.ts';
import { isObject, parseJson } from '../text/json.ts';
import { type CodePlace, type DoctorFinding, finding } from './findings.ts';
import { type KnownPlugin, knownAs, shortName } from './known-plugins.ts';

interface Plugin {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly code: readonly CodePlace[];
}

export function pluginFindings(files: SourceFiles, code: Code, upstream: boolean): readonly DoctorFinding[] {
  const configured = configuredPlugins(files);
  const local = localPlugins(files, code);
  const isLocal = (name: string) => local.some((plugin) => plugin.name === name);
  const found = new Map<string, Plugin>();
  for (const plugin of [...local, ...configured.plugins.filter(({ name }) => !isLocal(name)), ...dependencies(files)]) {
    const known = knownAs(plugin.name);
    const key = known?.names[0] ?? shortName(plugin.name);
    // What is switched off in the configuration is off, although it is installed.
    const isOff = [plugin.name, ...(known?.names ?? [])].some((name) => configured.off.has(name) || configured.off.has(shortName(name)));
    if (!isOff && !found.has(key)) found.set(key, plugin);
  }
  return [...configured.unreadable, ...[...found.values()].map((plugin) => describe(plugin, knownAs(plugin.name), upstream))];
}

function describe({ name, file, line, code }: Plugin, known: KnownPlugin | undefined, upstream: boolean): DoctorFinding {
  const common = { kind: 'plugin' as const, subject: name, file, line, code };
  if (known?.isServed === true) return finding({ ...common, group: 'served', what: known.what });
  const what = known?.what ?? 'its routes respond with 404, and its code does not run';
  const isRouted = upstream && what.includes('404');
  return finding({
    ...common,
    group: 'notServed',
    what: isRouted
      ? what.replace('responds with 404', 'is forwarded to Strapi').replace('respond with 404', 'are forwarded to Strapi')
      : what,
    // What the code of an unknown plugin does cannot be known.
    isSecurity: known === undefined || known.isSecurity === true,
  });
}

function configuredPlugins(files: SourceFiles) {
  const plugins: Plugin[] = [];
  const off = new Set<string>();
  const unreadable: DoctorFinding[] = [];
  for (const path of configFiles(files, 'plugins')) {
    const { file, value } = readModule(files, path);
    const list = called(value);
    if (list.kind !== 'object' || list.open) {
      const what = 'the list of plugins is computed: check it yourself';
      unreadable.push(finding({ group: 'decide', kind: 'unreadable', subject: file, file, line: list.line, what, treatment: 'unknown' }));
    }
    for (const [name, entry] of list.kind === 'object' ? list.entries : []) {
      const enabled = entry.kind === 'object' ? entryOf(entry, 'enabled') : entry;
      if (enabled.kind === 'plain' && enabled.value === false) off.add(name);
      else plugins.push({ name, file, line: entry.line, code: [] });
    }
  }
  return { plugins, off, unreadable };
}

const packages = /^(?:@strapi\/plugin-|(?:@[^/]+\/)?strapi-(?:v?5-)?plugin-|@strapi-community\/plugin-|@[^/]+\/strapi-plugin)/;

function dependencies(files: SourceFiles): readonly Plugin[] {
  const source = files.read('package.json');
  const parsed = source.ok ? parseJson(source.text) : undefined;
  if (!source.ok || parsed?.ok !== true || !isObject(parsed.value) || !isObject(parsed.value.dependencies)) return [];
  const lines = source.text.split('\n');
  return Object.keys(parsed.value.dependencies)
    .filter((name) => packages.test(name) || knownAs(name)?.isServed === false)
    .map((name) => ({ name, file: 'package.json', line: lines.findIndex((line) => line.includes(`"${name}"`)) + 1, code: [] }));
}

function localPlugins(files: SourceFiles, code: Code): readonly Plugin[] {
  return files.folders('src/plugins').map((name) => {
    const folder = `src/plugins/${name}`;
    const inside = files
      .below(folder, (each) => !/\/(?:node_modules|dist|build|admin)$/.test(each))
      .files.filter((each) => isSource(each) && !each.endsWith('.json'));
    const pieces = inside.map((each) => code.file(each)).filter((each) => each !== undefined);
    const seemsTo = behaviourOf(...pieces.map(({ root }) => root));
    const manifest = files.read(`${folder}/package.json`);
    const parsed = manifest.ok ? parseJson(manifest.text) : undefined;
    const strapi = parsed?.ok === true && isObject(parsed.value) && isObject(parsed.value.strapi) ? parsed.value.strapi.name : undefined;
    return {
      name: typeof strapi === 'string' ? strapi : name,
      file: pieces[0]?.file ?? folder,
      line: 1,
      code: [{ file: folder, seemsTo }],
    };
  });
}
