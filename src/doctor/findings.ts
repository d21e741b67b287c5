/** The findings of `lectern doctor`. Their shape is documented in docs/doctor.md: see `--json`. */

import type { CodeForAll } from '../project-code/project-code.ts';
import type { Replacement } from './replacement/replacement.ts';

/** `decide`: the project's configuration should say what happens. `notServed`: only Strapi does it.
 *  `honoured`: values of the project's `config/` that apply. `served`: served as Strapi does. */
export type Group = 'decide' | 'notServed' | 'honoured' | 'served';
export const groups: readonly Group[] = ['decide', 'notServed', 'honoured', 'served'];

/** What happens to a request or code. `ignored`: requests are served without running the code. */
export type Treatment = 'served' | 'refused' | 'forwarded' | 'ignored' | 'replaced' | 'absent' | 'unknown';

export type FindingKind =
  | 'route'
  | 'ownRoute'
  | CodeForAll['kind']
  | 'plugin'
  | 'config'
  | 'schema'
  | 'database'
  | 'content'
  | 'access'
  | 'webhook'
  | 'provider'
  | 'panel';

/** A position in the project's code, and what the code there seems to do. */
export interface CodePlace {
  /** `global::is-owner`; absent for code that has no name. */
  readonly name?: string;
  /** Relative to the project. Absent for code that is not in it, such as a plugin's. */
  readonly file?: string;
  readonly line?: number;
  /** `sets populate`, `reads the caller (ctx.state.user)`: derived from names, so incomplete. */
  readonly seemsTo: readonly string[];
}

/** Keys of lectern.config.json, to be merged into it. */
export interface Proposal {
  readonly routes?: Readonly<Record<string, 'serve' | 'refuse' | 'forward'>>;
  readonly populate?: Readonly<Record<string, unknown>>;
}

export interface DoctorFinding {
  readonly group: Group;
  readonly kind: FindingKind;
  /** What it is about: an action, a plugin, a setting, a type. */
  readonly subject: string;
  /** A short sentence. */
  readonly what: string;
  readonly treatment: Treatment;
  /** Whether it decides about access or is left out silently; such findings come first, uncut. */
  readonly isSecurity: boolean;
  /** Whether somebody has to do something: any such finding makes the exit code 1. */
  readonly isOpen: boolean;
  readonly file?: string;
  readonly line?: number;
  readonly code: readonly CodePlace[];
  readonly write?: Proposal;
  /** What of Lectern does the same. */
  readonly instead?: Replacement;
}

/** The same with what most findings have. */
export const finding = (parts: Pick<DoctorFinding, 'group' | 'kind' | 'subject' | 'what'> & Partial<DoctorFinding>): DoctorFinding => ({
  treatment: parts.group === 'served' ? 'served' : 'ignored',
  isSecurity: false,
  isOpen: parts.group === 'decide' || parts.group === 'notServed',
  code: [],
  ...parts,
});

/** Merges the proposals of all findings. */
export function proposalOf(findings: readonly DoctorFinding[]): Proposal {
  const all = findings.flatMap(({ write }) => write ?? []);
  const routes = Object.assign({}, ...all.map((each) => each.routes)) as NonNullable<Proposal['routes']>;
  const populate = Object.assign({}, ...all.map((each) => each.populate)) as NonNullable<Proposal['populate']>;
  return {
    ...(Object.keys(routes).length === 0 ? {} : { routes }),
    ...(Object.keys(populate).length === 0 ? {} : { populate }),
  };
}
