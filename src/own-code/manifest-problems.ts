/** Mistakes in hooks and endpoints that are found by comparing them with the model. */
import type { ContentModel } from '../model/content-model.ts';
import { orMeant } from '../text/nearest.ts';
import type { EndpointManifest, HookManifest, Manifest } from './protocol.ts';

export const manifestProblems = ({ hooks, endpoints }: Manifest, model: ContentModel): readonly string[] => [
  ...hooks.flatMap((each) => hookProblems(each, model).map((problem) => `${each.file}: ${problem}`)),
  ...repeated(endpoints),
];

function hookProblems({ uid, before, compute, committed, populate }: HookManifest, model: ContentModel): string[] {
  const type = model.contentTypes.get(uid);
  if (type === undefined) return [`there is no content type ${uid}${orMeant(uid, [...model.contentTypes.keys()])}`];
  if (before.length + compute.length + committed.length === 0) return ['has no function in before, compute or committed'];
  const problems: string[] = [];
  // Users and files are written by endpoints with rules of their own.
  if (!uid.startsWith('api::') && before.length + compute.length > 0)
    problems.push(`before and compute are for the project's own content types; ${uid} can have committed`);
  const names = [...type.attributes.keys()];
  const check = (name: string, where: string) => {
    if (!type.attributes.has(name)) problems.push(`${where}: ${uid} has no attribute ${JSON.stringify(name)}${orMeant(name, names)}`);
  };
  for (const { name, from = [], writes } of compute) {
    check(name, 'compute');
    for (const each of [...from, ...writes]) check(each, `compute.${name}`);
  }
  for (const name of populate) check(name, 'populate');
  return problems;
}

/** Two endpoints with one method and path. */
function repeated(endpoints: readonly EndpointManifest[]): string[] {
  const known = new Map<string, string>();
  return endpoints.flatMap(({ file, method, path }) => {
    const shape = `${method} ${path.replaceAll(/:[^/]+/g, ':').toLowerCase()}`;
    const first = known.get(shape);
    known.set(shape, first ?? file);
    return first === undefined ? [] : [`${file}: ${method} ${path} is in ${first} as well`];
  });
}
