/** Routes with custom code, and what the configuration decides about them. */
import type { Config } from '../config/config.ts';
import { governing, type ProjectRoutes } from '../http/routes/project-routes.ts';
import { handlingOf, type Route } from '../http/routes/routes.ts';
import type { Code } from '../project-code/open-code.ts';
import { type PopulateCode, populateIn } from '../project-code/populate-code.ts';
import type { Finding } from '../project-code/project-code.ts';
import { counted } from '../text/counted.ts';
import { handlerOf, placesOf } from './describe-code.ts';
import { type DoctorFinding, finding, type Proposal } from './findings.ts';
import { replaceCodeOfRoute, replaceOwnRoute } from './replacement/replace-routes.ts';
import type { Replacement, ReplacementContext } from './replacement/replacement.ts';

export function routeFindings(
  { routes, servedWithout, removed }: ProjectRoutes,
  config: Pick<Config, 'populate'>,
  context: ReplacementContext,
): readonly DoctorFinding[] {
  const changed = byAction(routes.filter((route) => route.findings !== undefined && handlingOf(route) !== 'served'));
  const types = new Set(routes.flatMap(({ serves }) => ('type' in serves ? [serves.type.uid] : [])));
  const plain = routes.filter((route) => handlingOf(route) === 'served' && !servedWithout.some(({ action }) => action === route.action));
  const inAll = `${counted(plain.length, 'route')}, of ${counted(types.size, 'content type')} and of accounts, files and locales`;
  const leftOut = `the project's route files leave out ${counted(removed.length, 'route')}: 404 or 405, as in Strapi`;
  return [
    ...changed.map((same) => changedRoute(same, config, context)),
    ...byAction(servedWithout).map((same) => servedRoute(same, config, context)),
    ...(plain.length === 0 ? [] : [finding({ group: 'served', kind: 'content', subject: 'routes', what: inAll })]),
    ...(removed.length === 0 ? [] : [finding({ group: 'served', kind: 'route', subject: 'routes that are left out', what: leftOut })]),
  ];
}

/** The routes that one decision is about: PUT, PATCH and publishing, for instance. */
function byAction(routes: readonly Route[]): readonly (readonly Route[])[] {
  const found = new Map<string, Route[]>();
  for (const route of routes) found.set(governing(route), [...(found.get(governing(route)) ?? []), route]);
  return [...found.values()];
}

/** A route that the configuration serves without its code. */
function servedRoute(same: readonly Route[], { populate }: Pick<Config, 'populate'>, context: ReplacementContext): DoctorFinding {
  const [route] = same;
  const isReplaced =
    route !== undefined &&
    'type' in route.serves &&
    Object.hasOwn(populate, route.serves.type.uid) &&
    onlyPopulate(route, findingsOf(same), context.code) !== undefined;
  return describe(
    same,
    context,
    isReplaced
      ? { group: 'honoured', treatment: 'replaced', what: 'its middleware sets populate; the setting `populate` replaces it' }
      : { group: 'notServed', treatment: 'ignored', isOpen: false, what: `served without ${wordsFor(same)}, as \`routes\` says` },
  );
}

/** What the middleware of a route gives to `populate`, if that is all that its code does. */
function onlyPopulate(route: Route, findings: readonly Finding[], code: Code): PopulateCode | undefined {
  if (!findings.every(({ what }) => what === 'middlewares')) return undefined;
  const names = findings.flatMap((each) => each.names ?? ['']);
  const pieces = [...new Set(names)].map((name) => code.named('middlewares', name, apiNameOf(route.action)));
  const [only] = pieces.map((piece) => (piece === undefined ? undefined : populateIn(piece)));
  return pieces.length === 1 && only?.isAll === true ? only : undefined;
}

const isByConfiguration = ({ file }: Finding) => file === 'lectern.config.json';

function changedRoute(same: readonly Route[], config: Pick<Config, 'populate'>, context: ReplacementContext): DoctorFinding {
  const [route] = same;
  const findings = findingsOf(same);
  const treatment = route === undefined ? 'refused' : handlingOf(route);
  const isOwn = route?.serves.kind === 'own';
  if (treatment === 'forwarded')
    return describe(same, context, {
      group: 'served',
      treatment,
      what: isOwn ? 'a route of the project, forwarded to Strapi' : `forwarded to Strapi, for ${wordsFor(same)}`,
    });
  if (isOwn) return describe(same, context, { group: 'notServed', treatment, what: 'a route of the project responds with 501' });
  if (findings.some(isByConfiguration))
    return describe(same, context, { group: 'notServed', treatment, isOpen: false, what: 'refused with 501, as `routes` says' });
  const write = proposalFor(same, findings, config, context.code);
  return describe(same, context, {
    group: 'decide',
    treatment,
    what: `refused with 501, for ${wordsFor(same)}`,
    ...(write === undefined ? {} : { write }),
  });
}

const findingsOf = (same: readonly Route[]): readonly Finding[] => [...new Set(same.flatMap(({ findings }) => findings ?? []))];

/** `policies and a controller function of its own, find`. */
function wordsFor(same: readonly Route[]): string {
  const ofCode = findingsOf(same).filter((each) => !isByConfiguration(each));
  const words = [...new Set(ofCode.map(({ what }) => what))];
  return words.length < 2 ? (words[0] ?? 'its code') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function describe(
  same: readonly Route[],
  context: ReplacementContext,
  described: Pick<DoctorFinding, 'group' | 'what'> & Partial<DoctorFinding>,
): DoctorFinding {
  const [route] = same;
  const findings = findingsOf(same).filter((each) => !isByConfiguration(each));
  const [first] = findings;
  const api = apiNameOf(route?.action ?? '');
  const isOwn = route?.serves.kind === 'own';
  const { code } = context;
  const isServedBefore = described.group === 'served' || described.group === 'honoured';
  const instead = route === undefined || isServedBefore ? undefined : insteadOf(route, findings, api, context);
  const places = findings.flatMap((each) => placesOf(code, each, api));
  return finding({
    kind: isOwn ? 'ownRoute' : 'route',
    subject: isOwn ? `${route.method} ${route.path}` : route === undefined ? '' : governing(route),
    // A refused route is not open to anybody; one that is served without its code may be.
    isSecurity: described.treatment === 'ignored',
    ...(first === undefined ? {} : { file: first.file, line: first.line }),
    code: isOwn && first !== undefined ? handlerOf(code, first, api) : places,
    ...(instead === undefined ? {} : { instead }),
    ...described,
  });
}

function insteadOf(
  route: Route,
  findings: readonly Finding[],
  api: string | undefined,
  context: ReplacementContext,
): Replacement | undefined {
  const [first] = findings;
  return route.serves.kind === 'own' && first !== undefined
    ? replaceOwnRoute(route, first, api, context)
    : replaceCodeOfRoute(route, findings, api, context);
}

/** `api::article.article.find` → `article`. */
const apiNameOf = (action: string): string | undefined => /^api::([\w-]+)\./.exec(action)?.[1];

/** The proposal for a refused route. Code that may decide about access is proposed as "refuse",
 *  which is what happens without the proposal. */
function proposalFor(
  [route]: readonly Route[],
  findings: readonly Finding[],
  { populate }: Pick<Config, 'populate'>,
  code: Code,
): Proposal | undefined {
  if (route === undefined) return undefined;
  const refused: Proposal = { routes: { [governing(route)]: 'refuse' } };
  const served: Proposal = { routes: { [governing(route)]: 'serve' } };
  // Served without `auth: false`, the route requires the right: stricter than in Strapi.
  if (findings.every(({ what }) => what === 'auth: false')) return served;
  const only = onlyPopulate(route, findings, code);
  if (!('type' in route.serves) || only === undefined) return refused;
  const { uid } = route.serves.type;
  if (Object.hasOwn(populate, uid)) return served;
  return isKnown(only) ? { ...served, populate: { [uid]: only.value } } : refused;
}

const isKnown = ({ value }: PopulateCode) => value !== undefined && value !== null;
