/** What replaces code that belongs to no type: middlewares of all routes, added routes, tasks. */
import type { Piece } from '../../project-code/open-code.ts';
import type { CodeForAll } from '../../project-code/project-code.ts';
import { child, findNode, nameOf } from '../../project-code/syntax.ts';
import { kebabCase } from '../../text/snake-case.ts';
import { factsOf } from './code-facts.ts';
import { pages, type Replacement, type ReplacementContext, withCode, withoutCode } from './replacement.ts';

export function replaceMiddleware(piece: Piece | undefined, name: string, context: ReplacementContext): Replacement {
  const facts = piece === undefined ? undefined : factsOf(piece, context.code);
  if (/rate|throttle|limit/i.test(name)) return withoutCode('the settings of rate limits', pages.access);
  if (facts?.setsPopulate === true) return withoutCode('the setting `populate`', pages.query);
  if (facts?.readsHeaders === true && facts.setsFilters)
    return withoutCode(
      'the preset tenant in permissions.json, since it seems to restrict documents by a header; the tenant is then that of the user',
      pages.access,
    );
  if (facts?.setsFilters === true || facts?.readsCaller === true)
    return withoutCode('rights with presets or restrictions, since it seems to restrict what callers may do', pages.access);
  if (facts?.readsHeaders === true && facts.refuses) return withoutCode('API tokens, since it seems to check a header', pages.access);
  if (facts?.sendsRequests === true) return withoutCode('a webhook, if it reports changes', pages.events);
  return withoutCode(
    'no code runs for every request: use a proxy in front of Lectern, or the code of hooks and endpoints',
    pages.hooks,
    pages.endpoints,
  );
}

export const replaceAddedRoutes = (): Replacement =>
  withCode('an endpoint for each route: `lectern make endpoint <method> <path>` begins one', pages.endpoints);

export const replaceReplacedCode = (): Replacement =>
  withCode('hooks where it changes what is written, endpoints where it changes what routes respond', pages.hooks);

/** Lectern has no scheduler: each server would run each task. */
export function replaceCron({ name, line }: CodeForAll, piece: Piece | undefined, context: ReplacementContext): Replacement {
  const what =
    'Lectern has no scheduler: let another one (cron, systemd, Kubernetes) call an endpoint with an API token, or run the task in Strapi';
  if (name === undefined) return withCode(what, pages.endpoints);
  const rule = piece === undefined ? undefined : ruleIn(piece);
  const path =
    kebabCase(name)
      .replaceAll(/[^\w-]/g, '-')
      .replace(/^[^a-z]+/i, '') || `task-${line}`;
  const facts = piece === undefined ? undefined : factsOf(piece, context.code);
  const file = context.book.addEndpoint({
    method: 'POST',
    path: `/tasks/${path}`,
    right: `tasks.${path}`,
    comments: [
      ...(piece === undefined ? [] : [`${piece.file}:${line}`]),
      `For a scheduler${rule === undefined ? '' : `, such as cron with ${rule}`}: curl -X POST -H "Authorization: Bearer $TOKEN" …/tasks/${path}`,
      ...(facts?.sendsMail === true ? ["await mail({ to: '…', subject: '…', text: '…' });"] : []),
    ],
    context: ['asSystem', 'log', ...(facts?.sendsMail === true ? ['mail'] : []), ...(facts?.sendsRequests === true ? ['fetch'] : [])],
  });
  return withCode(what, pages.endpoints, [file]);
}

/** `options: { rule: '0 8 * * 1' }` */
function ruleIn({ node }: Piece): string | undefined {
  const rule = child(
    findNode(node, (each) => each.type === 'Property' && nameOf(child(each, 'key')) === 'rule'),
    'value',
  )?.value;
  return typeof rule === 'string' && /^[\d\s*/,-]+$/.test(rule) ? rule : undefined;
}
