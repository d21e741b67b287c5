/** The rights of roles as the database has them, for people and for programs. */
import { isGranted, isRestricted, type StoredRestriction, type StoredRight } from '../rights/role-rights-store.ts';
import { inColumns } from '../text/align-columns.ts';
import type { Declaration } from './declaration.ts';
import { isSame } from './plan-permissions.ts';
import type { Preset } from './presets.ts';
import type { StoredRole } from './stored-roles.ts';

export interface ShownRole {
  readonly type: string;
  readonly name: string;
  readonly rights: readonly ShownRight[];
}

/** `fields` and `where` are what the database has, with the condition of the preset in `where`. */
interface ShownRight extends StoredRestriction {
  readonly action: string;
  /** As the file has it, if the database has the same restriction. */
  readonly preset?: Preset;
  /** The rule cannot be read, so the right gives nothing. */
  readonly unreadable?: true;
}

export function shownRoles(roles: readonly StoredRole[], declaration: Declaration | undefined): readonly ShownRole[] {
  return roles.map(({ type, name, rights }) => {
    const declared = declaration?.roles.get(type);
    const shown = (right: StoredRight): ShownRight => {
      const { action, rule } = right;
      if (rule !== undefined && rule.restriction === undefined) return { action, unreadable: true };
      const restriction = rule?.restriction ?? {};
      const preset = declared?.presets.get(action);
      const isAsDeclared = preset !== undefined && isSame(declared?.rights.get(action), restriction);
      return { action, ...(isAsDeclared ? { preset } : {}), ...restriction };
    };
    const byAction = [...rights.values()].filter(isGranted).sort((a, b) => (a.action < b.action ? -1 : 1));
    return { type, name, rights: byAction.map(shown) };
  });
}

/** A table for each role. */
export const describeRoles = (roles: readonly ShownRole[]): string =>
  roles
    .map(({ type, name, rights }) => {
      const title = `${type}${name === '' ? '' : ` (${name})`}\n`;
      if (rights.length === 0) return `${title}  no rights\n`;
      const lines = rights.map((right) => [`  ${right.action}`, ...cellsOf(right)]);
      return title + inColumns(rights.some(isLimited) ? [['  RIGHT', 'PRESET', 'FIELDS', 'ROWS'], ...lines] : lines);
    })
    .join('\n');

const isLimited = (right: ShownRight): boolean => right.unreadable === true || isRestricted(right);

function cellsOf(right: ShownRight): string[] {
  const { preset, fields, where } = right;
  if (right.unreadable === true) return ['', '', 'none: its rule cannot be read'];
  return [
    preset === undefined ? '' : describePreset(preset),
    fields === undefined ? '' : fields.join(', '),
    where === undefined ? '' : JSON.stringify(where),
  ];
}

/** As `owner: author`, `tenant: organisation = $user.team`. */
const describePreset = ({ preset, attribute, user }: Preset): string =>
  `${preset}${attribute === undefined ? '' : `: ${attribute}`}${user === undefined ? '' : ` = $user.${user}`}`;
