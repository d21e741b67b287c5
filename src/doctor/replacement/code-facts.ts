/** What a function of the project seems to do, as far as it decides what replaces the function. It
 *  is found by names, as in `behaviour.ts`, so it may be wrong. */
import type { Code, Piece } from '../../project-code/open-code.ts';
import {
  chainOf,
  child,
  childrenOf,
  findNode,
  isFunction,
  nameOf,
  namesIn,
  nodesAt,
  type SyntaxNode,
  walk,
} from '../../project-code/syntax.ts';

export interface CodeFacts {
  /** Throws, responds with an error, or returns false. */
  readonly refuses: boolean;
  readonly readsCaller: boolean;
  readonly readsRole: boolean;
  readonly readsHeaders: boolean;
  /** Compares the caller with something. */
  readonly comparesCaller: boolean;
  /** Names that are compared with the caller: of a filter, or of a document's relation. */
  readonly ownerNames: readonly string[];
  /** Names of filters that get a parameter of the request. */
  readonly lookupNames: readonly string[];
  /** Sets `populate` in the query of the request. */
  readonly setsPopulate: boolean;
  /** Populates what it reads itself. */
  readonly populatesReads: boolean;
  /** Whether Strapi's own function does the rest. */
  readonly callsSuper: boolean;
  readonly setsFilters: boolean;
  readonly filtersPublished: boolean;
  /** Attributes of the data that is written. */
  readonly assigned: readonly Assigned[];
  readonly writes: readonly DocumentWrite[];
  readonly reads: readonly string[];
  readonly sendsMail: boolean;
  readonly sendsRequests: boolean;
}

export interface Assigned {
  readonly attribute: string;
  /** What its value seems to be made of. */
  readonly value:
    | { readonly kind: 'slug' | 'excerpt' | 'readingTime'; readonly from: string | undefined }
    | { readonly kind: 'caller' }
    /** Source of a function's result: `entry.price * entry.amount`. */
    | { readonly kind: 'expression'; readonly source: string }
    | { readonly kind: 'other' };
}

export interface DocumentWrite {
  readonly verb: 'create' | 'update' | 'delete' | 'publish' | 'unpublish';
  readonly uid: string | undefined;
  /** Whether a number seems to be counted up or down. */
  readonly counts: boolean;
}

const modules = {
  mail: /^(?:nodemailer|resend|postmark|mailgun.*|@sendgrid\/.*)$/,
  requests: /^(?:axios|got|node-fetch|undici|ky|superagent|(?:node:)?https?)$/,
} as const;

export function factsOf(piece: Piece, code: Code): CodeFacts {
  const pieces = withHelpers(piece, code);
  const uses = (kind: keyof typeof modules) =>
    pieces.some(({ root, node }) => {
      const used = namesIn(node);
      return [...importsOf(root)].some(([name, from]) => used.has(name) && modules[kind].test(from));
    });
  const found = new Collected();
  for (const { node } of pieces) found.add(node);
  return { ...found.facts(), sendsMail: found.sendsMail || uses('mail'), sendsRequests: found.sendsRequests || uses('requests') };
}

/** Functions that are read with one that calls them. */
const mostHelpers = 10;

/** The function, and those of the project that it calls by their names. */
function withHelpers(piece: Piece, code: Code): readonly Piece[] {
  const helpers = new Map<SyntaxNode, Piece>();
  const add = (expression: SyntaxNode | undefined) => {
    if (nameOf(expression) === undefined || expression === undefined || helpers.size >= mostHelpers) return;
    const helper = code.functionOf(expression, piece);
    if (isFunction(helper.node)) helpers.set(helper.node, helper);
  };
  // `afterUpdate: notify`
  add(child(piece.node, 'value'));
  // A whole file has its functions already.
  if (piece.node !== piece.root)
    walk(piece.node, (each) => {
      if (each.type === 'CallExpression') add(child(each, 'callee'));
    });
  helpers.delete(piece.node);
  return [piece, ...helpers.values()];
}

/** Local name → module. */
function importsOf(root: SyntaxNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (node: SyntaxNode | undefined, from: unknown) => {
    if (node !== undefined && typeof from === 'string') for (const name of namesIn(node)) found.set(name, from);
  };
  walk(root, (node) => {
    if (node.type === 'ImportDeclaration')
      for (const each of nodesAt(node, 'specifiers')) add(child(each, 'local'), child(node, 'source')?.value);
    const init = node.type === 'VariableDeclarator' ? child(node, 'init') : undefined;
    if (nameOf(child(init, 'callee')) === 'require') add(child(node, 'id'), nodesAt(init, 'arguments')[0]?.value);
  });
  return found;
}

class Collected {
  refuses = false;
  readsCaller = false;
  readsRole = false;
  readsHeaders = false;
  comparesCaller = false;
  setsPopulate = false;
  populatesReads = false;
  callsSuper = false;
  setsFilters = false;
  filtersPublished = false;
  sendsMail = false;
  sendsRequests = false;
  readonly #owners = new Set<string>();
  readonly #lookups = new Set<string>();
  readonly #assigned = new Map<string, Assigned>();
  readonly #writes = new Map<string, DocumentWrite>();
  readonly #reads = new Set<string>();
  /** Variables with the caller, and with parameters of the request. */
  readonly #callers = new Set<string>();
  readonly #params = new Set<string>();
  /** Variables with attributes of the data that is written, and what other variables are set to. */
  readonly #attributes = new Set<string>();
  readonly #variables = new Map<string, SyntaxNode>();

  facts(): CodeFacts {
    return {
      ...this,
      ownerNames: [...this.#owners],
      lookupNames: [...this.#lookups],
      assigned: [...this.#assigned.values()],
      writes: [...this.#writes.values()],
      reads: [...this.#reads],
    };
  }

  add(root: SyntaxNode): void {
    walk(root, (node) => this.#declare(node));
    const counts = findNode(root, isCounting) !== undefined;
    walk(root, (node) => this.#look(node, counts));
  }

  /** `const { user } = ctx.state`, `const user = ctx.state.user`, `const { slug } = ctx.params`. */
  #declare(node: SyntaxNode): void {
    if (node.type !== 'VariableDeclarator') return;
    const id = child(node, 'id');
    const init = child(node, 'init');
    const chain = chainOf(init);
    const name = nameOf(id);
    if (name !== undefined && init !== undefined) this.#variables.set(name, init);
    const names = id === undefined ? [] : [...namesIn(id)];
    if (name === undefined && chain.at(-1) === 'data') for (const each of names) this.#attributes.add(each);
    if (isCaller(chain) || (chain.at(-1) === 'state' && names.includes('user'))) for (const name of names) this.#callers.add(name);
    if (chain.includes('params') && /^(?:ctx|context|request)$/.test(chain[0] ?? '')) for (const name of names) this.#params.add(name);
  }

  #look(node: SyntaxNode, counts: boolean): void {
    switch (node.type) {
      case 'ThrowStatement':
        this.refuses = true;
        break;
      case 'ReturnStatement':
        if (child(node, 'argument')?.value === false) this.refuses = true;
        break;
      case 'MemberExpression':
        this.#member(chainOf(node));
        break;
      case 'BinaryExpression':
        if (/^[!=]==?$/.test(String(node.operator))) this.#compare(child(node, 'left'), child(node, 'right'));
        break;
      case 'AssignmentExpression':
        this.#assign(child(node, 'left'), child(node, 'right'));
        break;
      case 'Property':
        this.#property(node);
        break;
      case 'CallExpression':
        this.#call(node, counts);
    }
  }

  #member(chain: readonly string[]): void {
    if (this.#isCaller(chain)) {
      this.readsCaller = true;
      if (chain.includes('role')) this.readsRole = true;
    }
    if (chain.at(-1) === 'headers' || chain.includes('headers')) this.readsHeaders = true;
  }

  #compare(left: SyntaxNode | undefined, right: SyntaxNode | undefined): void {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ]) {
      if (one === undefined || other === undefined || !this.#mentionsCaller(one) || chainOf(one).includes('role')) continue;
      // `ctx.state.user === undefined` asks only whether somebody is signed in.
      if (other.type === 'Literal' || nameOf(other) === 'undefined') continue;
      this.comparesCaller = true;
      const chain = chainOf(other).filter((name) => name !== 'id' && name !== 'documentId');
      const last = chain.at(-1);
      if (last !== undefined && chain.length > 1) this.#owners.add(last);
    }
  }

  #assign(left: SyntaxNode | undefined, right: SyntaxNode | undefined): void {
    const chain = chainOf(left);
    const query = chain.findIndex((name) => name === 'query' || name === 'params');
    const part = chain[query + 1];
    const isQuery = query !== -1 && query === chain.length - 1;
    const entries = isQuery && right !== undefined ? nodesAt(right, 'properties').map(keyOf) : [];
    if (query !== -1 && (part === 'populate' || entries.includes('populate'))) this.setsPopulate = true;
    if (query !== -1 && (part === 'filters' || part === 'where')) this.setsFilters = true;
    const data = chain.lastIndexOf('data');
    const attribute = chain[data + 1];
    if (data === -1 || chain[0] === 'result' || chain[0] === 'response') return;
    if (attribute !== undefined) this.#note(attribute, right);
    // `event.params.data = { ...event.params.data, slug: … }`
    else if (right?.type === 'ObjectExpression')
      for (const each of nodesAt(right, 'properties')) {
        const name = keyOf(each);
        if (name !== undefined) this.#note(name, child(each, 'value'));
      }
  }

  #note(attribute: string, written: SyntaxNode | undefined): void {
    const known = this.#assigned.get(attribute);
    const right = this.#variables.get(nameOf(written) ?? '') ?? written;
    if (right === undefined || (known !== undefined && known.value.kind !== 'other')) return;
    const value = this.#mentionsCaller(right) ? { kind: 'caller' as const } : computedBy(attribute, right, this.#attributes);
    this.#assigned.set(attribute, { attribute, value });
  }

  #property(node: SyntaxNode): void {
    const name = keyOf(node);
    const value = child(node, 'value');
    if (name === undefined || value === undefined || name.startsWith('$') || isFunction(value)) return;
    if (name === 'populate') this.populatesReads = true;
    if (name === 'publishedAt') this.filtersPublished = true;
    if (name === 'filters' || name === 'where') this.setsFilters = true;
    if (this.#mentionsCaller(value) && !/^(?:filters|where|data|id|documentId|query|params)$/.test(name)) this.#owners.add(name);
    if (isPlainCondition(value) && findNode(value, (each) => this.#isParameter(each)) !== undefined) this.#lookups.add(name);
  }

  #call(node: SyntaxNode, counts: boolean): void {
    const chain = chainOf(child(node, 'callee'));
    const [first = ''] = chain;
    const last = chain.at(-1) ?? '';
    if (/^(?:ctx|context)$/.test(first) && chain.length === 2 && refusing.test(last)) this.refuses = true;
    if (chain.includes('email') && last === 'send') this.sendsMail = true;
    if (first === 'super') this.callsSuper = true;
    if (last === 'fetch' || first === 'axios') this.sendsRequests = true;
    const isContent = chain.includes('documents') || chain.includes('entityService') || (chain.includes('db') && chain.includes('query'));
    if (!isContent) return;
    const uid = [...chain, nodesAt(node, 'arguments')[0]?.value].find((each): each is string =>
      /^(?:api|plugin)::[\w.-]+$/.test(String(each)),
    );
    const verb = verbs.find((each) => last === each || last === `${each}Many`);
    if (verb !== undefined) this.#writes.set(`${verb} ${uid}`, { verb, uid, counts: counts && verb === 'update' });
    else if (/^(?:find|count)/.test(last) && uid !== undefined) this.#reads.add(uid);
  }

  #isCaller(chain: readonly string[]): boolean {
    return isCaller(chain) || (chain.length > 0 && this.#callers.has(chain[0] ?? ''));
  }

  #mentionsCaller(root: SyntaxNode): boolean {
    return findNode(root, (node) => this.#isCaller(chainOf(node))) !== undefined;
  }

  #isParameter(node: SyntaxNode): boolean {
    const chain = chainOf(node);
    return (chain.length > 1 && chain.at(-2) === 'params') || (chain.length === 1 && this.#params.has(chain[0] ?? ''));
  }
}

const verbs: readonly DocumentWrite['verb'][] = ['create', 'update', 'delete', 'publish', 'unpublish'];
const refusing = /^(?:throw|unauthorized|forbidden|badRequest|notFound|tooManyRequests|paymentRequired)$/;

const isCaller = (chain: readonly string[]): boolean => {
  const state = chain.indexOf('state');
  return state > 0 && (chain[state + 1] === 'user' || chain[state + 1] === 'auth');
};

const keyOf = (property: SyntaxNode): string | undefined => {
  const key = child(property, 'key');
  return nameOf(key) ?? (typeof key?.value === 'string' ? key.value : undefined);
};

/** A value of a filter: a name, or operators with one. */
const isPlainCondition = (value: SyntaxNode): boolean =>
  value.type !== 'ObjectExpression' || nodesAt(value, 'properties').every((each) => keyOf(each)?.startsWith('$') === true);

/** `views + 1`, `count - 1`, `$inc`. */
const isCounting = (node: SyntaxNode): boolean =>
  (node.type === 'BinaryExpression' && (node.operator === '+' || node.operator === '-') && child(node, 'right')?.value === 1) ||
  node.type === 'UpdateExpression' ||
  /^\$?inc(?:rement)?$/.test(nameOf(child(node, 'key')) ?? '');

/** `names`: variables with attributes of the data. */
function computedBy(attribute: string, right: SyntaxNode, names: ReadonlySet<string>): Assigned['value'] {
  const called = (pattern: RegExp) =>
    findNode(right, (node) => node.type === 'CallExpression' && pattern.test(chainOf(child(node, 'callee')).at(-1) ?? ''));
  const slugging = called(/slug/i);
  // A slug in a longer text is another value than the rule makes.
  if (slugging !== undefined && right.type !== 'BinaryExpression' && right.type !== 'TemplateLiteral')
    return { kind: 'slug', from: sourceAttribute(nodesAt(slugging, 'arguments')[0], names) };
  if (called(/reading_?time/i) !== undefined || (/reading|minutes/i.test(attribute) && called(/^(?:ceil|round)$/) !== undefined))
    return { kind: 'readingTime', from: sourceAttribute(right, names) };
  const cutting = called(/^(?:slice|substring|substr|truncate|excerpt)$/);
  if (cutting !== undefined && /excerpt|summary|teaser|description|intro/i.test(attribute))
    return { kind: 'excerpt', from: sourceAttribute(right, names) };
  const source = expressionOf(right);
  return source === undefined ? { kind: 'other' } : { kind: 'expression', source };
}

/** `title` in `event.params.data.title`, or in `title` that was taken from the data. */
function sourceAttribute(root: SyntaxNode | undefined, names: ReadonlySet<string>): string | undefined {
  let found: string | undefined;
  if (root === undefined) return undefined;
  walk(root, (node) => {
    const chain = chainOf(node);
    const data = chain.lastIndexOf('data');
    found ??= data === -1 ? undefined : chain[data + 1];
    if (chain.length > 0 && names.has(chain[0] ?? '')) found ??= chain[0];
    return found === undefined;
  });
  return found;
}

/** Arithmetic with attributes of the data, as source for an entry; undefined for anything else. */
function expressionOf(node: SyntaxNode, levels = 10): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'number') return String(node.value);
  if (node.type === 'BinaryExpression' && typeof node.operator === 'string' && /^[-+*/]$/.test(node.operator)) {
    const [left, right] = levels === 0 ? [] : childrenOf(node).map((each) => expressionOf(each, levels - 1));
    return left === undefined || right === undefined ? undefined : `${left} ${node.operator} ${right}`;
  }
  const chain = node.type === 'MemberExpression' ? chainOf(node) : [];
  const name = chain.at(-2) === 'data' ? chain.at(-1) : undefined;
  return name !== undefined && /^[a-z_]\w*$/i.test(name) ? `entry.${name}` : undefined;
}
