/** Recognises the files that Strapi generates without parsing: most projects have only these, and
 *  then never load the parser. */
import type { Value } from './value.ts';

const comments = String.raw`(?:\s|/\*(?:[^*]|\*(?!/))*\*/)*`;
const call = String.raw`(createCore(?:Router|Controller|Service))\(\s*(['"])([\w:.-]+)\3(?: as any)?\s*\);?\s*$`;
const shapes = [
  new RegExp(String.raw`^${comments}import \{ factories \} from (['"])@strapi/strapi\1;?\s*export default factories\.${call}`),
  new RegExp(
    String.raw`^${comments}(?:['"]use strict['"];?${comments})?const \{ createCore(?:Router|Controller|Service) \} = require\((['"])@strapi/strapi\1\)\.factories;?\s*module\.exports = ${call}`,
  ),
];

export function generatedFactory(text: string): Value | undefined {
  const found = shapes.map((shape) => shape.exec(text)).find((match) => match !== null);
  const [, , factory, , uid] = found ?? [];
  if (factory === undefined || uid === undefined) return undefined;
  const line = 1;
  return { kind: 'call', from: '@strapi/strapi', path: ['factories', factory], arguments: [{ kind: 'plain', value: uid, line }], line };
}

const middlewares =
  /^(?:import type \{ Core \} from '@strapi\/strapi';\s*)?(?:const config(?:: [\w.]+)? = |export default |module\.exports = )\[\s*(?:'strapi::\w+',?\s*)*\];\s*(?:export default config;\s*)?$/;

/** Whether `config/middlewares` lists only Strapi's own middlewares. */
export const areGeneratedMiddlewares = (text: string): boolean => middlewares.test(text);
