/** The server's problems in the words of editors, in the order of the form. */
import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';
import type { FieldProblem } from '../server/request.ts';
import { say } from '../words/say.ts';
import { type ComponentOf, isRecord, type Values } from './values.ts';

/** The rules of the schema file are said in the reader's language; anything else as the server
 *  says it. */
export function explainProblems(
  problems: readonly FieldProblem[],
  {
    attributes,
    values,
    componentOf,
  }: { readonly attributes: readonly DescribedAttribute[]; readonly values: Values; readonly componentOf: ComponentOf },
): readonly FieldProblem[] {
  const isProblem = (name: string | undefined) => problems.some(({ path }) => path[0] === name);
  // It is made of another attribute, which is what the user has to fill in.
  const isMade = ({ path: [first, ...rest] }: FieldProblem) =>
    rest.length === 0 &&
    attributes.some(({ type, name, targetField }) => type === 'uid' && name === first && !values[name] && isProblem(targetField));
  const place = ({ path }: FieldProblem) => attributes.findIndex(({ name }) => name === path[0]);
  return problems
    .filter((problem) => !isMade(problem))
    .map((problem) => {
      const found = findAt(problem.path, attributes, values, componentOf);
      return { path: problem.path, message: (found && brokenRule(found.attribute, found.value)) ?? problem.message };
    })
    .sort((a, b) => place(a) - place(b));
}

interface Found {
  readonly attribute: DescribedAttribute;
  readonly value: unknown;
}

/** `['links', 0, 'url']`: the attribute `url` of the first link. */
function findAt(
  path: FieldProblem['path'],
  attributes: readonly DescribedAttribute[],
  values: Values,
  componentOf: ComponentOf,
): Found | undefined {
  const [name, ...rest] = path;
  const attribute = attributes.find((each) => each.name === name);
  if (attribute === undefined) return undefined;
  const value = values[attribute.name];
  if (rest.length === 0) return { attribute, value };
  const isList = Array.isArray(value);
  const entry: unknown = isList ? value[Number(rest[0])] : value;
  const inner = isList ? rest.slice(1) : rest;
  if (!isRecord(entry) || inner.length === 0) return undefined;
  const uid = attribute.component ?? String(entry.__component);
  return findAt(inner, componentOf(uid)?.attributes ?? [], entry, componentOf);
}

/** Undefined if the value breaks none that this page knows. */
function brokenRule({ type, required, min, max, minLength, maxLength, regex }: DescribedAttribute, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return required ? say('problem.required') : undefined;
  if (Array.isArray(value)) {
    if (min !== undefined && value.length < Number(min)) return say('problem.fewest', { count: Number(min) });
    return max !== undefined && value.length > Number(max) ? say('problem.most', { count: Number(max) }) : undefined;
  }
  if (min !== undefined && Number(value) < Number(min)) return say('problem.min', { least: min });
  if (max !== undefined && Number(value) > Number(max)) return say('problem.max', { most: max });
  if (typeof value !== 'string') return undefined;
  if (minLength !== undefined && value.length < minLength) return say('problem.shorter', { count: minLength });
  if (maxLength !== undefined && value.length > maxLength) return say('problem.longer', { count: maxLength });
  if (regex !== undefined) return say('problem.pattern', { pattern: regex });
  return type === 'email' ? say('problem.email') : undefined;
}
