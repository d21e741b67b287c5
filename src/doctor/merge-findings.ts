/** Merges findings that differ only in their subject, to keep a project with hundreds of types
 *  readable. `--json` has all of them. */
import type { DoctorFinding } from './findings.ts';

export interface MergedFinding extends DoctorFinding {
  readonly subjects: readonly string[];
  /** `src/api/a/routes/a.ts:5`, of each. */
  readonly positions: readonly string[];
  /** The files that replace the code of each. */
  readonly sketchFiles: readonly string[];
}

export function mergeFindings(findings: readonly DoctorFinding[]): readonly MergedFinding[] {
  const merged = new Map<string, MergedFinding>();
  for (const each of findings) {
    const { group, kind, what, treatment, isOpen, isSecurity } = each;
    // Without a name it is the position itself, which the positions list.
    const code = each.code.map(({ name, file, line, seemsTo }) => (name === undefined ? seemsTo : [name, file, line]));
    const key = JSON.stringify([group, kind, what, treatment, isOpen, isSecurity, code, each.instead?.what]);
    const known = merged.get(key);
    merged.set(key, {
      ...(known ?? each),
      subjects: [...(known?.subjects ?? []), each.subject],
      sketchFiles: [...(known?.sketchFiles ?? []), ...(each.instead?.files ?? [])],
      positions: [...(known?.positions ?? []), ...(each.file === undefined ? [] : [`${each.file}:${each.line}`])],
    });
  }
  return [...merged.values()].map((each) => ({
    ...each,
    subjects: byType([...new Set(each.subjects)]),
    positions: [...new Set(each.positions)],
    sketchFiles: [...new Set(each.sketchFiles)],
  }));
}

/** `api::a.a.find`, `api::a.a.findOne` → `api::a.a.{find,findOne}`. */
function byType(subjects: readonly string[]): readonly string[] {
  // `api::a.a (afterCreate)`, `api::b.b (afterCreate)`: once for all of them.
  const [, detail] = / (\(.*\))$/.exec(subjects[0] ?? '') ?? [];
  if (detail !== undefined && subjects.length > 1 && subjects.every((subject) => subject.endsWith(` ${detail}`)))
    return subjects.map((subject, index) => (index === subjects.length - 1 ? subject : subject.slice(0, -detail.length - 1)));
  const found = new Map<string, string[]>();
  for (const subject of subjects) {
    const [, type, action] = /^((?:api|plugin)::[\w-]+\.[\w-]+)\.(\w+)$/.exec(subject) ?? [];
    if (type === undefined || action === undefined) found.set(subject, []);
    else found.set(type, [...(found.get(type) ?? []), action]);
  }
  return [...found].map(([type, actions]) => {
    if (actions.length === 0) return type;
    return actions.length === 1 ? `${type}.${actions[0]}` : `${type}.{${actions.join(',')}}`;
  });
}
