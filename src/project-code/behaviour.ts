/** Describes what a piece of code seems to do, for people who have to decide about it. The words
 *  are found by names, so they may be wrong and are incomplete; only texts depend on them. */
import { chainOf, child, isFunction, nameOf, nodesAt, type SyntaxNode, walk } from './syntax.ts';

/** At most this many are listed for one piece of code; the first ones of `order` matter most. */
const maxPhrases = 6;

const maxFunctions = 3;
const usual = /^(?:next|require|String|Number|Boolean|parseInt|parseFloat|Symbol|BigInt|isNaN)$/;

/** In the order in which they are listed: what decides about access comes first. */
const order = [
  /^refuses/,
  /^reads (the caller|headers|cookies)/,
  /^sets (filters|populate|fields|sort|locale|status)/,
  /^changes/,
  /^calls super/,
  /^(sends|calls|runs|uses)/,
  /./,
];

/** What code below `roots` seems to do: `sets populate`, `reads the caller (ctx.state.user)`. */
export function behaviourOf(...roots: readonly SyntaxNode[]): readonly string[] {
  const found = new Set<string>();
  const functions = new Set<string>();
  for (const root of roots) {
    walk(root, (node) => {
      for (const phrase of phrasesOf(node)) found.add(phrase);
      const called = node.type === 'CallExpression' ? nameOf(child(node, 'callee')) : undefined;
      if (called !== undefined && !usual.test(called)) functions.add(called);
    });
  }
  // Names of functions help where nothing else does.
  if (found.size === 0) return functions.size === 0 ? [] : [`calls ${[...functions].slice(0, maxFunctions).join(', ')}`];
  const rank = (phrase: string) => order.findIndex((pattern) => pattern.test(phrase));
  return [...found].sort((a, b) => rank(a) - rank(b)).slice(0, maxPhrases);
}

function phrasesOf(node: SyntaxNode): readonly string[] {
  switch (node.type) {
    case 'MemberExpression':
      return optional(phraseOfMember(chainOf(node)));
    case 'AssignmentExpression':
      return optional(phraseOfAssignment(child(node, 'left')));
    case 'CallExpression':
    case 'NewExpression':
      return optional(phraseOfCall(node));
    case 'ThrowStatement':
      return ['refuses with an error'];
    case 'ReturnStatement':
      return child(node, 'argument')?.value === false ? ['refuses requests (returns false)'] : [];
    case 'ImportDeclaration':
      return optional(phraseOfModule(child(node, 'source')?.value));
    default:
      return isFunction(node) && child(node, 'body')?.value === false ? ['refuses requests (returns false)'] : [];
  }
}

const optional = (phrase: string | undefined): readonly string[] => (phrase === undefined ? [] : [phrase]);

function phraseOfMember(chain: readonly string[]): string | undefined {
  const state = chain.indexOf('state');
  const part = chain[state + 1];
  if (state > 0 && (part === 'user' || part === 'auth')) return `reads the caller (${chain.slice(0, state + 2).join('.')})`;
  if (chain.at(-1) === 'headers' && chain.at(-2) === 'request') return 'reads headers of the request';
  if (chain.at(-1) === 'cookies') return 'reads cookies';
  return undefined;
}

const queryParts = /^(?:filters|populate|fields|sort|locale|status|pagination)$/;

function phraseOfAssignment(left: SyntaxNode | undefined): string | undefined {
  const chain = chainOf(left);
  const last = chain.at(-1) ?? '';
  const query = chain.findIndex((name) => name === 'query' || name === 'params');
  const part = query === -1 ? undefined : chain[query + 1];
  if (part !== undefined && queryParts.test(part)) return `sets ${part}`;
  if (query > 0 && query === chain.length - 1) return 'changes the query';
  if (part === 'where') return 'changes the conditions of a query';
  if (chain.includes('data') && (part === 'data' || chain.includes('body'))) return 'changes the data that is written';
  if (chain[0] === 'data' && chain.length > 1) return 'changes the data that is written';
  if (last === 'body' || (chain.includes('body') && !chain.includes('request')) || chain[0] === 'response') return 'changes the response';
  if (chain[0] === 'result' || chain[1] === 'result') return 'changes the result';
  return undefined;
}

const refusing = /^(?:throw|unauthorized|forbidden|badRequest|notFound|tooManyRequests|paymentRequired)$/;
const documentWrites: Readonly<Record<string, string>> = {
  create: 'creates',
  createMany: 'creates',
  update: 'updates',
  updateMany: 'updates',
  delete: 'deletes',
  deleteMany: 'deletes',
  publish: 'publishes',
  unpublish: 'unpublishes',
};

function phraseOfCall(node: SyntaxNode): string | undefined {
  const chain = chainOf(child(node, 'callee'));
  const [first = ''] = chain;
  const last = chain.at(-1) ?? '';
  if (first === 'require' && chain.length === 1) return phraseOfModule(nodesAt(node, 'arguments')[0]?.value);
  if (first === 'super' && chain.length > 1) return `calls super.${last}`;
  if (last === 'fetch') return 'calls fetch';
  if (first === 'axios') return 'sends requests (axios)';
  if (chain.includes('email') && last === 'send') return 'sends mail';
  if (/^(?:ctx|context|koaContext)$/.test(first) && refusing.test(last) && chain.length === 2) return 'refuses requests';
  if (chain.length === 2 && first === 'ctx' && (last === 'set' || last === 'append')) return 'changes headers of the response';
  if (chain.length === 2 && last === 'redirect') return 'changes the response (redirects)';
  if (chain.includes('db') && chain.includes('connection')) return 'runs SQL of its own';
  const uid = chain.find((name) => /^(?:api|plugin)::[\w.-]+$/.test(name));
  const isContent = chain.includes('documents') || chain.includes('entityService') || (chain.includes('db') && chain.includes('query'));
  const verb = Object.hasOwn(documentWrites, last) ? documentWrites[last] : undefined;
  if (isContent && verb !== undefined) return `${verb} ${uid ?? 'documents'}`;
  if (isContent && /^(?:find|count)/.test(last)) return `reads ${uid ?? 'documents'}`;
  if (chain[1] === 'service' && uid !== undefined) return `calls the service ${uid}`;
  if (first === 'setTimeout' || first === 'setInterval') return 'starts a timer';
  return undefined;
}

const modules: readonly (readonly [name: RegExp, phrase: string])[] = [
  [/^(?:node:)?child_process$/, 'runs other programs'],
  [/^(?:node:)?fs(?:\/promises)?$|^fs-extra$/, 'uses files'],
  [/^(?:axios|got|node-fetch|undici|ky|superagent|(?:node:)?https?)$/, 'sends requests to other servers'],
  [/^(?:nodemailer|resend|postmark|mailgun.*|@sendgrid\/.*)$/, 'sends mail'],
  [/^(?:stripe|@paypal\/.*|square)$/, 'uses a payment service'],
  [/^(?:algoliasearch|meilisearch|typesense|@elastic\/.*)$/, 'updates a search index'],
  [/^(?:openai|@anthropic-ai\/.*|@google\/generative-ai)$/, 'uses a language model'],
  [/^(?:redis|ioredis|bull|bullmq)$/, 'uses Redis'],
  [/^(?:jsonwebtoken|jose)$/, 'uses JSON Web Tokens'],
  [/^(?:socket\.io|ws)$/, 'uses websockets'],
  [/^(?:@aws-sdk\/.*|aws-sdk|firebase-admin|@google-cloud\/.*)$/, 'uses a cloud service'],
];

const phraseOfModule = (name: unknown): string | undefined =>
  typeof name === 'string' ? modules.find(([pattern]) => pattern.test(name))?.[1] : undefined;
