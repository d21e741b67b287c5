/** Code of no single route (middlewares, hooks, tasks): requests are served without it. */
import type { PopulateByType } from '../config/default-populate.ts';
import { changedDirectly } from '../project-code/changed-names.ts';
import { conditionsIn, textsIn } from '../project-code/conditions.ts';
import { Evaluation } from '../project-code/evaluate.ts';
import type { Code, Piece } from '../project-code/open-code.ts';
import { populateIn } from '../project-code/populate-code.ts';
import type { CodeForAll } from '../project-code/project-code.ts';
import { chainOf, child, findNode, isFunction, lineOf, nodesAt, type SyntaxNode, walk } from '../project-code/syntax.ts';
import { placeOf } from './describe-code.ts';
import { type DoctorFinding, finding, type Proposal } from './findings.ts';
import { actionsOfHooks, actionsOfMethods, missingDecisions, type RoutesAndDecisions } from './hooks.ts';
import type { OwnCodeFiles } from './own-code-files.ts';
import { replaceAddedRoutes, replaceCron, replaceMiddleware, replaceReplacedCode } from './replacement/replace-elsewhere.ts';
import { type FoundHook, hookOfLifecycle, hookOfMiddleware, replaceHooks } from './replacement/replace-hooks.ts';
import { pages, type Replacement, type ReplacementContext, withCode, withoutCode } from './replacement/replacement.ts';

export interface CodeContext extends RoutesAndDecisions, ReplacementContext {
  readonly code: Code;
  readonly own: OwnCodeFiles;
  readonly populate: PopulateByType;
}

export const codeFindings = (everywhere: readonly CodeForAll[], context: CodeContext): readonly DoctorFinding[] =>
  everywhere.map((found) => describe(found, context));

/** What becomes of code that Lectern leaves out of every request. */
const leftOut = {
  globalMiddleware: 'a global middleware: requests are served without it',
  serverMiddleware: 'requests are served without it',
  replacedCode: 'code replaces controllers, services, policies or routes; the routes are served without it',
  apiIndex: 'it may register or change anything of its API; it is not run',
} as const;

function describe(found: CodeForAll, context: CodeContext): DoctorFinding {
  const { code, upstream } = context;
  const { kind, file, line, name } = found;
  const common = { kind, file, line, subject: name ?? found.what };
  const here = code.at(file, line);
  switch (kind) {
    case 'documentMiddleware':
      return documentMiddleware(common, here, context);
    case 'subscriber':
      return subscriber(common, here, context);
    case 'lifecycles':
      return lifecycles(common, code.file(file), context);
    case 'globalMiddleware':
    case 'serverMiddleware':
    case 'replacedCode':
    case 'apiIndex': {
      const piece =
        kind === 'globalMiddleware' ? code.named('middlewares', name ?? '', undefined) : kind === 'apiIndex' ? code.file(file) : here;
      const place = placeOf(piece, kind === 'globalMiddleware' ? name : undefined);
      const instead = /Middleware$/.test(kind) ? replaceMiddleware(piece, name ?? '', context) : replaceReplacedCode();
      return finding({ ...common, group: 'notServed', isSecurity: true, what: leftOut[kind], code: [place], instead });
    }
    case 'addedRoutes':
      return finding({
        ...common,
        group: 'notServed',
        what: upstream ? 'they are forwarded to Strapi' : 'they respond with 404',
        treatment: upstream ? 'forwarded' : 'absent',
        isOpen: !upstream,
        code: [placeOf(here)],
        instead: replaceAddedRoutes(),
      });
    case 'cron': {
      const what = `${name === undefined ? 'they do' : 'a task of a time table: it does'} not run, unless Strapi runs beside Lectern`;
      return finding({
        ...common,
        group: 'notServed',
        what,
        isOpen: !upstream,
        code: [placeOf(here)],
        instead: replaceCron(found, here, context),
      });
    }
    case 'unreadable':
      return toCheck({ ...common, subject: file }, `${found.what}: check it yourself`);
  }
}

const toCheck = (common: Common, what: string): DoctorFinding =>
  finding({ ...common, group: 'decide', isSecurity: true, what, treatment: 'unknown' });

type Common = Pick<DoctorFinding, 'kind' | 'subject'> & { readonly file: string; readonly line: number };

function documentMiddleware(common: Common, here: Piece | undefined, context: CodeContext): DoctorFinding {
  const argument = argumentOf('use', here);
  const piece = here === undefined || argument === undefined ? undefined : context.code.functionOf(argument, here);
  if (piece === undefined || !(isFunction(piece.node) || piece.node === piece.root))
    return toCheck(common, 'which function it is cannot be read: check it yourself');
  const { uids, actions } = conditionsIn(piece);
  const methods = actions.length === 0 ? '' : ` (${actions.join(', ')})`;
  const subject = uids.length === 0 ? `documents of any type${methods}` : `${uids.join(', ')}${methods}`;
  const populate = populateIn(piece);
  const found = populate?.isAll === true ? undefined : hookOfMiddleware(actions, piece);
  const instead =
    populate === undefined
      ? replaceHooks(uids, found === undefined ? [] : [found], found === undefined, context)
      : insteadOfPopulate(populate.isAll);
  const described = { ...common, subject, code: [placeOf(piece)], isSecurity: true, ...(instead === undefined ? {} : { instead }) };
  if (uids.length === 0)
    return finding({ ...described, group: 'notServed', what: 'a middleware of the document service: requests are served without it' });
  if (populate !== undefined) {
    const missing = uids.filter((uid) => !Object.hasOwn(context.populate, uid));
    if (missing.length === 0 && populate.isAll)
      return finding({
        ...described,
        group: 'honoured',
        isSecurity: false,
        treatment: 'replaced',
        what: 'a middleware that sets populate; the setting `populate` replaces it',
      });
    if (missing.length > 0) {
      const what =
        populate.value === undefined
          ? 'a middleware that sets a computed populate: write the value into the setting `populate`'
          : 'a middleware that sets populate, which the setting `populate` can do';
      const write: Proposal =
        populate.value === undefined ? {} : { populate: Object.fromEntries(missing.map((uid) => [uid, populate.value])) };
      return finding({ ...described, group: 'decide', what: populate.isAll ? what : `${what}; it does more than that`, write });
    }
  }
  return hooked(described, uids, actionsOfMethods(actions), context, 'a middleware of the document service');
}

function subscriber(common: Common, here: Piece | undefined, context: CodeContext): DoctorFinding {
  const argument = argumentOf('subscribe', here);
  if (here === undefined || argument === undefined) return toCheck(common, 'a subscriber that cannot be read');
  const piece = argument.type === 'ObjectExpression' ? { ...here, node: argument } : context.code.functionOf(argument, here);
  const models = nodesAt(piece.node, 'properties').find((each) => chainOf(child(each, 'key') ?? each)[0] === 'models');
  const value = child(models, 'value');
  const uids = value === undefined ? [] : textsIn(new Evaluation(piece.root, undefined, changedDirectly(piece.root)).expression(value));
  const hooks = [...hooksIn(piece.node).keys()];
  const subject = `${uids.length === 0 ? 'any type' : uids.join(', ')} (${hooks.length === 0 ? 'any change' : hooks.join(', ')})`;
  const described = { ...common, subject, code: [placeOf(piece)], isSecurity: true, ...insteadOfHooks(uids, piece, context) };
  if (uids.length === 0) return finding({ ...described, group: 'notServed', what: 'hooks of the database: they do not run' });
  return hooked(described, uids, actionsOfHooks(hooks), context, 'hooks of the database');
}

function lifecycles(common: Common, piece: Piece | undefined, context: CodeContext): DoctorFinding {
  const hooks = piece === undefined ? [] : [...hooksIn(piece.node).keys()];
  const described = {
    ...common,
    subject: `${common.subject} (${hooks.join(', ') || 'hooks'})`,
    code: [placeOf(piece)],
    isSecurity: true,
    ...(piece === undefined ? {} : insteadOfHooks([common.subject], piece, context)),
  };
  return hooked(described, [common.subject], actionsOfHooks(hooks), context, 'lifecycle hooks');
}

/** Code of certain types' routes: to be decided, until `routes` says what happens for each type. */
function hooked(
  described: Omit<DoctorFinding, 'group' | 'what' | 'isOpen' | 'treatment'>,
  uids: readonly string[],
  actions: readonly string[],
  context: CodeContext,
  what: string,
): DoctorFinding {
  const files = [...new Set(uids.map((uid) => context.own.hooks.get(uid)))].filter((file) => file !== undefined);
  if (uids.length > 0 && uids.every((uid) => context.own.hooks.has(uid)))
    return finding({
      ...described,
      group: 'honoured',
      treatment: 'replaced',
      isSecurity: false,
      what: `${what}, in whose place ${files.join(', ')} ${files.length === 1 ? 'has' : 'have'} hooks of the type; compare them`,
    });
  const isPlural = what.endsWith('hooks') || what.startsWith('hooks');
  const notRun = isPlural ? 'they do not run' : 'it does not run';
  const known = uids.filter((uid) => context.routes.some(({ action }) => action.startsWith(`${uid}.`)));
  if (known.length < uids.length) return finding({ ...described, group: 'notServed', what: `${what}: ${notRun}` });
  const write = missingDecisions(uids, actions, context);
  if (write === undefined)
    return finding({
      ...described,
      group: 'notServed',
      isOpen: false,
      isSecurity: false,
      what: `${what}: ${notRun}; \`routes\` decides about the routes`,
    });
  return finding({
    ...described,
    group: 'decide',
    what: `${what}: ${notRun}, and the routes are served without ${isPlural ? 'them' : 'it'}`,
    write,
  });
}

const insteadOfPopulate = (isAll: boolean): Replacement =>
  withoutCode(`the setting \`populate\`${isAll ? '' : ', for what sets it'}`, pages.query);

function insteadOfHooks(uids: readonly string[], piece: Piece, context: CodeContext): Pick<DoctorFinding, 'instead'> {
  const hooks = [...hooksIn(piece.node)];
  const found = hooks.map(([name, node]) => hookOfLifecycle(name, { ...piece, node }));
  const instead = replaceHooks(
    uids,
    found.filter((each): each is FoundHook => each !== undefined),
    found.includes(undefined),
    context,
  );
  return { instead: instead ?? withCode('hooks, which `lectern make hook` begins', pages.hooks) };
}

/** The first argument of the call of a method, such as `documents.use(…)`. */
function argumentOf(method: string, piece: Piece | undefined): SyntaxNode | undefined {
  const isCall = (node: SyntaxNode) => node.type === 'CallExpression' && chainOf(child(node, 'callee')).at(-1) === method;
  return piece === undefined ? undefined : nodesAt(findNode(piece.node, isCall), 'arguments')[0];
}

const hookName = /^(?:before|after)(?:Create|Update|Delete|Find|Count)(?:One|Many)?$/;

/** The lifecycle hooks that code defines, in their order. */
function hooksIn(root: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  walk(root, (node) => {
    const key =
      node.type === 'Property' || node.type === 'MethodDefinition'
        ? child(node, 'key')
        : node.type === 'AssignmentExpression'
          ? child(node, 'left')
          : child(node, 'id');
    const name = chainOf(key).at(-1);
    const known = name === undefined ? undefined : found.get(name);
    if (name !== undefined && hookName.test(name) && (known === undefined || lineOf(node) < lineOf(known))) found.set(name, node);
  });
  return new Map([...found].sort(([, one], [, other]) => lineOf(one) - lineOf(other)));
}
