/** The values of the project's `config/`, as `src/config` has taken them. */
import type { StrapiConfigFinding } from '../config/strapi-settings-report.ts';
import { type DoctorFinding, finding, type Group } from './findings.ts';

/** `others`: findings about plugins and tasks, which say more than the keys that configure them. */
export const configFindings = (found: readonly StrapiConfigFinding[], others: readonly DoctorFinding[]): readonly DoctorFinding[] =>
  found
    .filter((each) => !isSaidElsewhere(each, others))
    .map((each) => {
      const { file, line, path, outcome } = each;
      const decided = isDecided(each);
      const group: Group =
        outcome === 'honoured' || (outcome === 'computed' && decided) ? 'honoured' : outcome === 'computed' ? 'decide' : 'notServed';
      return finding({
        group,
        kind: 'config',
        subject: path,
        file,
        line,
        what: describe(each),
        treatment: outcome === 'honoured' ? 'served' : decided ? 'replaced' : 'ignored',
        isOpen: group !== 'honoured' && !decided,
      });
    });

/** Plugins whose own values are settings of Lectern. */
const settable = /^(?:email|upload|users-permissions)$/;

const isSaidElsewhere = ({ file, path, outcome }: StrapiConfigFinding, others: readonly DoctorFinding[]): boolean => {
  if (outcome !== 'notHonoured') return false;
  if (path === 'cron') return others.some(({ kind }) => kind === 'cron');
  const isPlugin = /\/plugins\.[^/]*$/.test(file) && !path.includes('.') && !settable.test(path);
  return isPlugin && others.some(({ kind }) => kind === 'plugin');
};

/** A setting of Lectern's own wins over the project's value. */
const isDecided = ({ outcome, note = '' }: StrapiConfigFinding): boolean =>
  outcome === 'computed' ? note.startsWith('set elsewhere') : outcome === 'notHonoured' && /lectern.* (?:wins|applies)$/i.test(note);

function describe({ outcome, setting, value, note }: StrapiConfigFinding): string {
  const named = setting === undefined ? '' : ` (the setting ${setting})`;
  if (outcome === 'honoured') return `${value ?? 'taken'}${named}${note === undefined ? '' : `; ${note}`}`;
  if (outcome === 'notHonoured') return note ?? 'it has no effect';
  const set = setting === undefined ? '' : `: set ${setting} in lectern.config.json`;
  return `its value is computed; ${note ?? `the default applies${set}`}`;
}
