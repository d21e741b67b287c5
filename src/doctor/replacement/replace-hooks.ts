/** Hooks of Lectern in place of lifecycle hooks, subscribers and document service middlewares. */

import type { ContentType } from '../../model/content-model.ts';
import { behaviourOf } from '../../project-code/behaviour.ts';
import type { Piece } from '../../project-code/open-code.ts';
import { lineOf } from '../../project-code/syntax.ts';
import { type Assigned, type CodeFacts, factsOf } from './code-facts.ts';
import { listed, pages, type Replacement, type ReplacementContext, together, withCode, withoutCode } from './replacement.ts';
import type { ComputedAttribute, HookAction, HookFunction, HookPlace } from './sketch-book.ts';

/** A function that Strapi runs before or after a change. */
export interface FoundHook {
  readonly piece: Piece;
  /** Undefined for a middleware, which may do either. */
  readonly place: HookPlace | undefined;
  readonly actions: readonly HookAction[];
  /** Where they are known. */
  readonly facts?: CodeFacts;
}

/** By the name of a lifecycle hook; undefined for hooks of reads. */
export function hookOfLifecycle(name: string, piece: Piece): FoundHook | undefined {
  const [, when, what] = /^(before|after)(Create|Update|Delete)(?:Many)?$/.exec(name) ?? [];
  if (when === undefined || what === undefined) return undefined;
  return { piece, place: when === 'before' ? 'before' : 'committed', actions: [what.toLowerCase() as HookAction] };
}

const actionsOfMethods = new Map<string, HookAction>(
  Object.entries({
    create: 'create',
    clone: 'create',
    update: 'update',
    delete: 'delete',
    publish: 'publish',
    unpublish: 'unpublish',
    discardDraft: 'discard',
  } as const),
);

/** By the methods that a document service middleware names; undefined if they only read. */
export function hookOfMiddleware(methods: readonly string[], piece: Piece): FoundHook | undefined {
  const actions = [...new Set(methods.flatMap((name) => actionsOfMethods.get(name) ?? []))];
  if (methods.length > 0 && actions.length === 0) return undefined;
  return { piece, place: undefined, actions: methods.length === 0 ? ['create', 'update', 'delete'] : actions };
}

/** `readsAlso`: whether there are hooks of reads as well. */
export function replaceHooks(
  uids: readonly string[],
  hooks: readonly FoundHook[],
  readsAlso: boolean,
  context: ReplacementContext,
): Replacement | undefined {
  const parts = hooks.map((hook) => ({ ...hook, facts: hook.facts ?? factsOf(hook.piece, context.code) }));
  const readHooks = readsAlso
    ? [
        withoutCode(
          'hooks of reads have no counterpart: compute the value when it is written (`compute`), or restrict the right',
          pages.hooks,
          pages.access,
        ),
      ]
    : [];
  if (parts.length === 0) return together(readHooks);
  if (uids.length === 0) return together([ofAnyType(parts), ...readHooks]);
  return together([...uids.map((uid) => ofType(uid, parts, context)), ...readHooks]);
}

type HookWithFacts = FoundHook & { readonly facts: CodeFacts };

function ofAnyType(hooks: readonly HookWithFacts[]): Replacement {
  const sends = hooks.every(({ facts }) => facts.sendsRequests && !facts.refuses && facts.assigned.length === 0);
  const events = [...new Set(hooks.flatMap(({ actions }) => actions))];
  return sends
    ? withoutCode(`a webhook for ${listed(events)}, without \`types\`, since it seems only to send requests`, pages.events)
    : withCode('hooks, in one file for each type that it is about', pages.hooks);
}

function ofType(uid: string, hooks: readonly HookWithFacts[], { book, model }: ReplacementContext): Replacement {
  if (uid.startsWith('admin::')) return withoutCode('Strapi, whose panel alone changes these documents', pages.editing);
  const type = model?.contentTypes.get(uid);
  const isOwn = uid.startsWith('api::');
  const computed = new Map<string, ComputedAttribute>();
  const functions: HookFunction[] = [];
  for (const { piece, place, actions, facts } of hooks) {
    const left: Assigned[] = [];
    for (const each of facts.assigned) {
      const follows = hooks.some(
        (hook) => hook.actions.includes('update') && hook.facts.assigned.some(({ attribute }) => attribute === each.attribute),
      );
      const rule = isOwn && place !== 'committed' ? ruleFor(each, type, follows) : undefined;
      if (rule === undefined) left.push(each);
      else computed.set(rule.attribute, rule);
    }
    const rest: CodeFacts = { ...facts, assigned: left };
    for (const action of actions)
      functions.push(...functionsFor({ piece, place, action, facts: rest, computes: left.length < facts.assigned.length, type }));
  }
  const allowed = isOwn ? functions : functions.filter(({ place }) => place === 'committed');
  if (allowed.length === 0 && computed.size === 0)
    return withoutCode('nothing runs before the writes of users and files; rights and `auth.ownFields` restrict them', pages.access);
  const file = book.addHooks(uid, allowed, [...computed.values()]);
  const names = [...new Set(allowed.map(({ place, action }) => `${place}.${action}`))].sort(beforeFirst);
  const rules = [...computed.values()].map(({ attribute, code }) => `compute ${attribute} with ${code}`);
  const onlySends = hooks.every(
    ({ facts }) => facts.sendsRequests && !facts.sendsMail && facts.writes.length === 0 && facts.assigned.length === 0 && !facts.refuses,
  );
  const what = `${listed([...rules, ...names])}${onlySends ? '; or a webhook, without code, since it seems only to send requests' : ''}`;
  // A ready rule is no function that has to be written.
  const needsCode = names.length > 0 || rules.some((rule) => rule.includes('=>'));
  return { ...withCode(what, pages.hooks, [file]), needsCode, pages: onlySends ? [pages.hooks, pages.events] : [pages.hooks] };
}

const beforeFirst = (a: string, b: string): number => Number(b.startsWith('before')) - Number(a.startsWith('before'));

/** What computes the attribute in place of an assignment; undefined if no rule is known. */
function ruleFor({ attribute, value }: Assigned, type: ContentType | undefined, follows: boolean): ComputedAttribute | undefined {
  if (type !== undefined && !type.attributes.has(attribute)) return undefined;
  if (value.kind === 'expression')
    return value.source.includes('entry.') && allKnown(value.source, type)
      ? { attribute, code: `(entry) => ${value.source}`, imports: [] }
      : undefined;
  if (value.kind !== 'slug' && value.kind !== 'excerpt' && value.kind !== 'readingTime') return undefined;
  const from = value.from ?? (value.kind === 'slug' ? 'title' : 'body');
  if (type !== undefined && !type.attributes.has(from)) return undefined;
  const follow = value.kind === 'slug' && follows ? ', follow: true' : '';
  return { attribute, code: `${value.kind}({ from: '${from}'${follow} })`, imports: [value.kind] };
}

const allKnown = (source: string, type: ContentType | undefined): boolean =>
  type === undefined || [...source.matchAll(/entry\.(\w+)/g)].every(([, name = '']) => type.attributes.has(name));

interface Described {
  readonly piece: Piece;
  readonly place: HookPlace | undefined;
  readonly action: HookAction;
  readonly facts: CodeFacts;
  /** Whether `compute` does a part of it. */
  readonly computes: boolean;
  readonly type: ContentType | undefined;
}

/** None where `compute` does all of it. */
function functionsFor({ piece, place, action, facts, computes, type }: Described): readonly HookFunction[] {
  const before = facts.refuses || facts.assigned.length > 0;
  const after = facts.sendsMail || facts.sendsRequests || (facts.writes.length > 0 && place !== 'before');
  const places: HookPlace[] =
    place !== undefined ? [place] : before && after ? ['before', 'committed'] : after ? ['committed'] : ['before'];
  const writesBefore = place === 'before' && facts.writes.length > 0;
  if (computes && !before && !after && !writesBefore) return [];
  return places.map((each) => functionFor(each, { piece, place: each, action, facts, computes, type }));
}

function functionFor(place: HookPlace, { piece, action, facts, type }: Described): HookFunction {
  const does = behaviourOf(piece.node);
  const comments = [`${piece.file}:${lineOf(piece.node)}${does.length === 0 ? '' : ` ${does.join('; ')}`}`];
  const imports: string[] = [];
  const context: string[] = [];
  const add = (names: readonly string[], of: readonly string[], comment: string) => {
    imports.push(...of);
    context.push(...names);
    comments.push(comment);
  };
  const ofSchema = [...(type?.attributes.values() ?? [])].find(({ writable }) => writable);
  const attribute = facts.assigned[0]?.attribute ?? ofSchema?.name ?? 'title';
  if (place === 'before') {
    if (facts.refuses) add(['data'], ['fail'], `if (…) fail('${attribute}', 'must …');`);
    for (const { attribute: name, value } of facts.assigned)
      if (value.kind === 'caller') add(['caller'], [], `if (caller.kind === 'user') return { data: { ${name}: caller.id } };`);
      else add(['data'], [], `return { data: { ${name}: … } };`);
    for (const { verb, uid = 'api::…', counts } of facts.writes)
      if (verb === 'create') add([], ['create'], `return { also: [create('${uid}', { … })] };`);
      else if (verb === 'update')
        add(
          [],
          counts ? ['update', 'increment'] : ['update'],
          `return { also: [update('${uid}', documentId, { ${counts ? '…: increment(1)' : '…'} })] };`,
        );
      else
        add([], [verb === 'delete' ? 'remove' : verb], `return { also: [${verb === 'delete' ? 'remove' : verb}('${uid}', documentId)] };`);
    if (action !== 'create') context.push('document');
    if (context.length === 0) context.push('data');
  } else {
    context.push('event', 'document');
    if (facts.sendsMail) add(['mail'], [], "await mail({ to: '…', subject: '…', text: '…' });");
    if (facts.sendsRequests)
      add(['fetch', 'signal'], [], "await fetch('https://…', { method: 'POST', body: JSON.stringify(document), signal });");
    for (const { verb, uid = 'api::…' } of facts.writes)
      add(
        ['documents'],
        [],
        `await documents('${uid}').${verb}(${verb === 'create' ? '{ … }' : verb === 'update' ? 'documentId, { … }' : 'documentId'});`,
      );
    if (type?.draftAndPublish === true && (action === 'create' || action === 'update'))
      comments.push(`In Strapi it also ran when a draft was published; in Lectern that is committed.publish.`);
  }
  return { place, action, comments, imports, context };
}
