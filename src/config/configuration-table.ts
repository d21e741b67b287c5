/** The reference tables of `docs/configuration.md`. */
import { type PlacedSetting, placedSettings } from './settings.ts';

/** The tables as Markdown: first the settings of the file and the environment, then those of the environment alone. */
export function configurationTables(): string {
  const inFile = placedSettings.filter((placed) => !placed.setting.secret);
  const secret = placedSettings.filter((placed) => placed.setting.secret);
  return [
    '| Key | Variables | Value | Default | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...inFile.map((placed) => row([`\`${placed.path}\``, ...commonCells(placed)])),
    '',
    'Secrets come from the environment or `.env` alone:',
    '',
    '| Variable | Value | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...secret.map((placed) => row(commonCells(placed))),
  ].join('\n');
}

function commonCells({ setting, variables }: PlacedSetting): readonly string[] {
  return [variables.map((name) => `\`${name}\``).join(', '), setting.shape, setting.fallbackText, setting.description];
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
