/** The reference tables of `docs/configuration.md`. */
import { removedSettings } from './removed-settings.ts';
import { type PlacedSetting, placedSettings } from './settings.ts';
import { strapiSettings } from './strapi-settings.ts';

/** The tables as Markdown: first the settings of the file and the environment, then those of the
 *  environment alone, then those of earlier versions. */
export function configurationTables(): string {
  const inFile = placedSettings.filter((placed) => !placed.setting.secret);
  const secret = placedSettings.filter((placed) => placed.setting.secret);
  return [
    '| Key | Variables | Value | Default | In a Strapi project | Meaning |',
    '| --- | --- | --- | --- | --- | --- |',
    ...inFile.map((placed) => row([`\`${placed.path}\``, ...commonCells(placed)])),
    '',
    'Secrets come from the environment or `.env` alone:',
    '',
    '| Variable | Value | Default | In a Strapi project | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...secret.map((placed) => row(commonCells(placed))),
    '',
    'Settings of earlier versions have no effect, and the start warns of them:',
    '',
    '| Key | Variable | What to do |',
    '| --- | --- | --- |',
    ...removedSettings.map(({ path, variable, remedy }) => row([`\`${path}\``, `\`${variable}\``, remedy])),
  ].join('\n');
}

/** What is taken from a Strapi project, for `docs/existing-strapi-project.md`. */
export function honouredTable(): string {
  const honoured = placedSettings.filter(({ path }) => Object.hasOwn(strapiSettings, path));
  return [
    '| Strapi | Lectern | If Strapi has none |',
    '| --- | --- | --- |',
    ...honoured.map((placed) => row([strapiPath(placed.path), keyOf(placed), strapiDefault(placed.path)])),
  ].join('\n');
}

const keyOf = ({ path, setting, variables }: PlacedSetting) =>
  setting.secret ? variables.map((name) => `\`${name}\``).join(', ') : `\`${path}\``;

function strapiPath(path: string): string {
  const strapi = strapiSettings[path];
  return strapi === undefined ? '' : `\`config/${strapi.file}\`: ${strapi.paths.map((each) => `\`${each}\``).join(' or ')}`;
}

function strapiDefault(path: string): string {
  const strapi = strapiSettings[path];
  return strapi?.absentText ?? (strapi?.fallback === undefined ? '' : `\`${JSON.stringify(strapi.fallback)}\``);
}

function strapiCell(path: string): string {
  const byDefault = strapiDefault(path);
  return byDefault === '' ? strapiPath(path) : `${strapiPath(path)}, else ${byDefault}`;
}

function commonCells({ path, setting, variables }: PlacedSetting): readonly string[] {
  return [variables.map((name) => `\`${name}\``).join(', '), setting.shape, setting.fallbackText, strapiCell(path), setting.description];
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
