/** The values of the project's `config/`, as `src/config` has taken them. */
import type { StrapiConfigFinding } from '../config/strapi-settings-report.ts';
import { type DoctorFinding, finding, type Group } from './findings.ts';

const groupOf: Readonly<Record<StrapiConfigFinding['outcome'], Group>> = {
  honoured: 'honoured',
  computed: 'decide',
  notHonoured: 'notServed',
};

export const configFindings = (found: readonly StrapiConfigFinding[]): readonly DoctorFinding[] =>
  found.map(({ file, line, path, outcome, setting, value, note }) =>
    finding({
      group: groupOf[outcome],
      kind: 'config',
      subject: path,
      file,
      line,
      what: describe(outcome, setting, value, note),
      treatment: outcome === 'honoured' ? 'served' : 'ignored',
    }),
  );

function describe(
  outcome: StrapiConfigFinding['outcome'],
  setting: string | undefined,
  value: string | undefined,
  note: string | undefined,
): string {
  const named = setting === undefined ? '' : `the setting ${setting}`;
  if (outcome === 'honoured')
    return [`${value ?? 'taken'}${named === '' ? '' : ` (${named})`}`, note].filter((text) => text !== undefined).join('; ');
  if (outcome === 'computed')
    return note ?? `its value is computed, so the default applies${setting === undefined ? '' : `: set ${setting} in lectern.config.json`}`;
  return note ?? 'it has no effect';
}
