/** The control that an error of the API is about. */
import { computed } from '@preact/signals';
import { result } from './state.ts';

export interface ApiProblem {
  readonly message: string;
  readonly code: string;
  readonly hint: string;
  /** `filters`, `sort`, …: the parameter that the error names. */
  readonly parameter: string;
}

const parameters = ['filters', 'sort', 'fields', 'populate', 'pagination', 'status', 'locale', 'fallback', '_q'];
/** The first words of codes that stand for another parameter. */
const ofCodes: Readonly<Record<string, string>> = { filter: 'filters', 'access.drafts': 'status' };

export const problem = computed<ApiProblem | undefined>(() => {
  const json = result.value?.json;
  if (!isRecord(json) || !isRecord(json.error)) return undefined;
  const { message, code, details } = json.error;
  const about = isRecord(details) ? details : {};
  const errors = Array.isArray(about.errors) ? about.errors.filter(isRecord) : [];
  const own = String(code ?? '');
  const text = String(message ?? '');
  const listed = errors.flatMap(({ path }) => (Array.isArray(path) ? [String(path[0])] : []));
  const candidates = [
    about.param,
    // Both parameters of locales have the same codes.
    /^Invalid parameter at '(\w+)'/.exec(text)?.[1],
    ...listed,
    ofCodes[own],
    ofCodes[own.split('.')[0] ?? ''],
    own.split('.')[0],
    ...parameters.filter((name) => text.includes(`${name}[`) || text.includes(`'${name}'`) || text.startsWith(name)),
  ];
  const parameter = candidates.find((name) => typeof name === 'string' && parameters.includes(name));
  return { message: text, code: own, hint: String(about.hint ?? ''), parameter: String(parameter ?? '') };
});

export const problemOf = (parameter: string): string | undefined =>
  problem.value?.parameter === parameter ? problem.value.message : undefined;

/** The error, if it names a condition: `[views][$gt]`. */
export const problemAt = (condition: string): string | undefined =>
  problem.value?.message.includes(condition) ? problem.value.message : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
