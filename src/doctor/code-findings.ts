/** Code that belongs to no single route: middlewares, hooks, tasks. Requests are served without it. */
import type { PopulateByType } from '../config/default-populate.ts';
import { changedDirectly } from '../project-code/changed-names.ts';
import { conditionsIn, textsIn } from '../project-code/conditions.ts';
import { Evaluation } from '../project-code/evaluate.ts';
import type { Code, Piece } from '../project-code/open-code.ts';
import { populateIn } from '../project-code/populate-code.ts';
import type { CodeForAll } from '../project-code/project-code.ts';
import { chainOf, child, isFunction, nodesAt, type SyntaxNode, walk } from '../project-code/syntax.ts';
import { placeOf } from './describe-code.ts';
import { type CodePlace, type DoctorFinding, finding, type Proposal } from './findings.ts';
import { actionsOfHooks, actionsOfMethods, missingDecisions, type RoutesAndDecisions } from './hooks.ts';

export interface CodeContext extends RoutesAndDecisions {
  readonly code: Code;
  readonly populate: PopulateByType;
}

export const codeFindings = (everywhere: readonly CodeForAll[], context: CodeContext): readonly DoctorFinding[] =>
  everywhere.map((found) => describe(found, context));

function describe(found: CodeForAll, context: CodeContext): DoctorFinding {
  const { kind, file, line } = found;
  const common = { kind, file, line, subject: found.name ?? found.what };
  const here = context.code.at(file, line);
  const place = (piece: Piece | undefined, name?: string): readonly CodePlace[] => [placeOf(piece, name)];
  switch (kind) {
    case 'globalMiddleware': {
      const named = context.code.named('middlewares', found.name ?? '', undefined);
      return finding({
        ...common,
        group: 'notServed',
        isSecurity: true,
        what: 'a global middleware: requests are served without it',
        code: place(named, found.name),
      });
    }
    case 'documentMiddleware':
      return documentMiddleware(common, here, context);
    case 'subscriber':
      return subscriber(common, here, context);
    case 'lifecycles':
      return lifecycles(common, context.code.file(file), context);
    case 'serverMiddleware':
      return finding({ ...common, group: 'notServed', isSecurity: true, what: 'requests are served without it', code: place(here) });
    case 'replacedCode':
      return finding({
        ...common,
        group: 'notServed',
        isSecurity: true,
        what: 'code replaces controllers, services, policies or routes; the routes are served without it',
        code: place(here),
      });
    case 'addedRoutes':
      return finding({
        ...common,
        group: 'notServed',
        what: context.upstream ? 'they are forwarded to Strapi' : 'they respond with 404',
        treatment: context.upstream ? 'forwarded' : 'absent',
        isOpen: !context.upstream,
        code: place(here),
      });
    case 'apiIndex':
      return finding({
        ...common,
        group: 'notServed',
        what: 'it may register or change anything of its API; it is not run',
        isSecurity: true,
        code: place(context.code.file(file)),
      });
    case 'cron':
      return finding({
        ...common,
        group: 'notServed',
        what: `${found.name === undefined ? 'they do' : 'a task of a time table: it does'} not run, unless Strapi runs beside Lectern`,
        isOpen: !context.upstream,
        code: place(here),
      });
    case 'unreadable':
      return finding({
        ...common,
        group: 'decide',
        subject: file,
        what: `${found.what}: check it yourself`,
        isSecurity: true,
        treatment: 'unknown',
      });
  }
}

type Common = Pick<DoctorFinding, 'kind' | 'subject'> & { readonly file: string; readonly line: number };

function documentMiddleware(common: Common, here: Piece | undefined, context: CodeContext): DoctorFinding {
  const call = here === undefined ? undefined : callIn(here.node, 'use');
  const [given] = call === undefined ? [] : nodesAt(call, 'arguments');
  const piece = here === undefined || given === undefined ? undefined : context.code.functionOf(given, here);
  if (piece === undefined || !(isFunction(piece.node) || piece.node === piece.root))
    return finding({
      ...common,
      group: 'decide',
      isSecurity: true,
      what: 'which function it is cannot be read: check it yourself',
      treatment: 'unknown',
    });
  const { uids, actions } = conditionsIn(piece);
  const methods = actions.length === 0 ? '' : ` (${actions.join(', ')})`;
  const subject = uids.length === 0 ? `documents of any type${methods}` : `${uids.join(', ')}${methods}`;
  const described = { ...common, subject, code: [placeOf(piece)], isSecurity: true };
  if (uids.length === 0)
    return finding({ ...described, group: 'notServed', what: 'a middleware of the document service: requests are served without it' });
  const populate = populateIn(piece);
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
  const call = here === undefined ? undefined : callIn(here.node, 'subscribe');
  const [given] = call === undefined ? [] : nodesAt(call, 'arguments');
  if (here === undefined || given === undefined)
    return finding({ ...common, group: 'decide', isSecurity: true, what: 'a subscriber that cannot be read', treatment: 'unknown' });
  const piece = given.type === 'ObjectExpression' ? { ...here, node: given } : context.code.functionOf(given, here);
  const models = nodesAt(piece.node, 'properties').find((each) => chainOf(child(each, 'key') ?? each)[0] === 'models');
  const value = models === undefined ? undefined : child(models, 'value');
  const uids = value === undefined ? [] : textsIn(new Evaluation(piece.root, undefined, changedDirectly(piece.root)).expression(value));
  const hooks = hooksIn(piece.node);
  const subject = `${uids.length === 0 ? 'any type' : uids.join(', ')} (${hooks.length === 0 ? 'any change' : hooks.join(', ')})`;
  const described = { ...common, subject, code: [placeOf(piece)], isSecurity: true };
  if (uids.length === 0) return finding({ ...described, group: 'notServed', what: 'hooks of the database: they do not run' });
  return hooked(described, uids, actionsOfHooks(hooks), context, 'hooks of the database');
}

function lifecycles(common: Common, piece: Piece | undefined, context: CodeContext): DoctorFinding {
  const hooks = piece === undefined ? [] : hooksIn(piece.node);
  const described = { ...common, subject: `${common.subject} (${hooks.join(', ') || 'hooks'})`, code: [placeOf(piece)], isSecurity: true };
  return hooked(described, [common.subject], actionsOfHooks(hooks), context, 'lifecycle hooks');
}

/** Code that belongs to routes of certain types: something to decide, until `routes` says for each of them what happens. */
function hooked(
  described: Omit<DoctorFinding, 'group' | 'what' | 'isOpen' | 'treatment'>,
  uids: readonly string[],
  actions: readonly string[],
  context: CodeContext,
  what: string,
): DoctorFinding {
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

/** The call of a method, `documents.use(…)`, in the code at a line. */
function callIn(root: SyntaxNode, method: string): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  walk(root, (node) => {
    const callee = node.type === 'CallExpression' ? child(node, 'callee') : undefined;
    if (found === undefined && callee !== undefined && chainOf(callee).at(-1) === method) found = node;
    return found === undefined ? undefined : false;
  });
  return found;
}

const hookName = /^(?:before|after)(?:Create|Update|Delete|Find|Count)(?:One|Many)?$/;

/** The names of lifecycle hooks that code defines, in their order. */
function hooksIn(root: SyntaxNode): readonly string[] {
  const found: { readonly name: string; readonly line: number }[] = [];
  walk(root, (node) => {
    const key =
      node.type === 'Property' || node.type === 'MethodDefinition'
        ? child(node, 'key')
        : node.type === 'AssignmentExpression'
          ? child(node, 'left')
          : child(node, 'id');
    const name = key === undefined ? undefined : chainOf(key).at(-1);
    if (name !== undefined && hookName.test(name)) found.push({ name, line: node.loc.start.line });
    return undefined;
  });
  return [...new Set(found.sort((a, b) => a.line - b.line).map(({ name }) => name))];
}
