/** A module's text → the value that it exports. No code is run: a computed value is `unknown`. */
import { type ChangedNames, changedNames } from './changed-names.ts';
import { exportOf } from './exports.ts';
import { generatedFactory } from './generated.ts';
import { binary, isTruthy, maxTextLength, takesRight } from './operators.ts';
import { bindPattern, declare, isPlain, keyOf, type Scope } from './scopes.ts';
import { callValue, globalSource, isGlobal, methodValue, referenceValue, type Surroundings } from './surroundings.ts';
import { child, isFunction, lineOf, nameOf, nodesAt, parseSource, type SyntaxNode, unwrap, walk } from './syntax.ts';
import { entryOf, type ImportSource, textIn, type Value } from './value.ts';

/** Maximum of expressions for one file: names defined by other names could multiply them. */
const maxSteps = 100_000;
/** A function or method takes as long for so many characters of a text as an expression. */
const charactersOfStep = 10;
/** The nesting limit of expressions; it also ends circular definitions. */
const maxLevels = 500;

/** The value of a module's default export, or of `module.exports`. */
export function evaluateModule(text: string, around?: Surroundings): Value {
  const generated = generatedFactory(text);
  if (generated !== undefined) return generated;
  const root = parseSource(text);
  const exported = root === undefined ? undefined : exportOf(root);
  if (root === undefined || exported === undefined) return { kind: 'unknown', line: 1 };
  const evaluation = new Evaluation(root, around);
  if (exported.kind === 'single') return evaluation.expression(exported.node);
  const entries = new Map([...exported.nodes].map(([name, node]) => [name, evaluation.expression(node)]));
  return { kind: 'object', entries, open: false, line: 1 };
}

/** Evaluates expressions of one module, with its top-level declarations in scope. */
export class Evaluation {
  readonly #changed;
  readonly #module: Scope;
  readonly #around: Surroundings | undefined;
  #steps = 0;
  #level = 0;

  /** Without surroundings, everything that the module does not define is unknown. */
  constructor(root: SyntaxNode, around?: Surroundings, changed: ChangedNames = changedNames(root)) {
    this.#around = around;
    this.#changed = changed;
    this.#module = { bindings: new Map(), outer: undefined };
    for (const statement of nodesAt(root, 'body')) declare(statement, this.#module);
  }

  expression(node: SyntaxNode): Value {
    return this.#evaluate(node, this.#module);
  }

  /** An expression's value inside of functions, outermost first, with their declarations in
   *  scope. */
  expressionWithin(node: SyntaxNode, functions: readonly SyntaxNode[]): Value {
    let scope = this.#module;
    for (const each of functions) {
      scope = this.#scopeOf(each, scope);
      const body = child(each, 'body');
      if (body?.type === 'BlockStatement') for (const statement of nodesAt(body, 'body')) declare(statement, scope);
    }
    return this.#evaluate(node, scope);
  }

  #evaluate(wrapped: SyntaxNode | undefined, scope: Scope): Value {
    if (wrapped === undefined) return { kind: 'unknown', line: 1 };
    if (this.#level === maxLevels) return { kind: 'unknown', line: lineOf(wrapped) };
    this.#level += 1;
    try {
      return this.#valueOf(wrapped, scope);
    } finally {
      this.#level -= 1;
    }
  }

  #valueOf(wrapped: SyntaxNode, scope: Scope): Value {
    const node = unwrap(wrapped);
    const line = lineOf(node);
    const unknown: Value = { kind: 'unknown', line };
    this.#steps += 1;
    if (this.#steps > maxSteps) return unknown;
    if (isFunction(node)) return { kind: 'function', line, returns: () => this.#returned(node, scope) };
    switch (node.type) {
      case 'Literal':
        return isPlain(node.value) && node.regex === undefined ? { kind: 'plain', value: node.value, line } : unknown;
      case 'TemplateLiteral':
        return this.#template(node, scope) ?? unknown;
      case 'UnaryExpression':
        return this.#unary(node, scope) ?? unknown;
      case 'ArrayExpression':
        return { kind: 'list', items: nodesAt(node, 'elements').flatMap((each) => this.#element(each, scope)), line };
      case 'ObjectExpression':
        return this.#object(node, scope);
      case 'Identifier':
        return { ...this.#named(String(node.name), scope, line), line };
      case 'BinaryExpression':
        return this.#binary(node, scope) ?? unknown;
      case 'LogicalExpression':
      case 'ConditionalExpression':
        return this.#choice(node, scope) ?? unknown;
      case 'MemberExpression':
        return this.#member(node, scope) ?? unknown;
      case 'CallExpression':
        return this.#call(node, scope) ?? unknown;
      default:
        return unknown;
    }
  }

  #named(name: string, scope: Scope, line: number): Value {
    const unknown: Value = { kind: 'unknown', line };
    let holder: Scope | undefined = scope;
    while (holder !== undefined && !holder.bindings.has(name)) holder = holder.outer;
    const binding = holder?.bindings.get(name);
    if (binding === undefined && this.#around !== undefined && isGlobal(name))
      return this.#reference({ from: globalSource, path: [name] }, line);
    if (binding === undefined) return name === 'undefined' ? { kind: 'plain', value: undefined, line } : unknown;
    if (binding.kind === 'unknown' || this.#changed.reassigned.has(name)) return unknown;
    if (binding.kind === 'source') return this.#reference(binding, line);
    const value = binding.path.reduce((part, key) => this.#memberOf(part, key), this.#evaluate(binding.node, binding.scope));
    const changeable = value.kind === 'object' || value.kind === 'list' || value.kind === 'call';
    return changeable && this.#changed.mutated.has(name) ? unknown : value;
  }

  #element(node: SyntaxNode, scope: Scope): readonly Value[] {
    const spread = node.type === 'SpreadElement' ? child(node, 'argument') : undefined;
    if (spread === undefined) return [this.#evaluate(node, scope)];
    const value = this.#evaluate(spread, scope);
    return value.kind === 'list' && this.#takes(value.items.length) ? value.items : [{ kind: 'unknown', line: lineOf(node) }];
  }

  #object(node: SyntaxNode, scope: Scope): Value {
    let open = false;
    const entries = new Map<string, Value>();
    for (const property of nodesAt(node, 'properties')) {
      // Nothing is known any more.
      if (this.#steps > maxSteps) return { kind: 'unknown', line: lineOf(node) };
      const line = lineOf(property);
      const spread = property.type === 'SpreadElement' ? child(property, 'argument') : undefined;
      const value = child(property, 'value');
      const key = this.#key(property, scope);
      if (spread === undefined && value !== undefined && key !== undefined && key !== '__proto__') {
        entries.set(key, property.kind === 'init' ? { ...this.#evaluate(value, scope), line } : { kind: 'unknown', line });
        continue;
      }
      const inner = spread === undefined ? undefined : this.#evaluate(spread, scope);
      const isTaken = inner?.kind === 'object' && this.#takes(inner.entries.size);
      if (isTaken) for (const [name, each] of inner.entries) entries.set(name, each);
      if (!isTaken || inner.open) {
        open = true;
        // A spread may replace earlier entries.
        this.#takes(entries.size);
        for (const name of entries.keys()) entries.set(name, { kind: 'unknown', line });
      }
    }
    return { kind: 'object', entries, open, line: lineOf(node) };
  }

  /** Counts entries like expressions, as spreads of spreads multiply them. */
  #takes(entries: number): boolean {
    this.#steps += entries;
    return this.#steps <= maxSteps;
  }

  #reads(text: string | undefined): void {
    this.#steps += Math.ceil((text?.length ?? 0) / charactersOfStep);
  }

  #key(property: SyntaxNode, scope: Scope): string | undefined {
    if (property.computed !== true) return keyOf(property);
    const value = this.#evaluate(child(property, 'key'), scope);
    return value.kind === 'plain' ? String(value.value) : undefined;
  }

  #member(node: SyntaxNode, scope: Scope): Value | undefined {
    const property = child(node, 'property');
    const key = node.computed === true ? this.#evaluate(property, scope) : undefined;
    const name = key === undefined ? nameOf(property) : key.kind === 'plain' ? String(key.value) : undefined;
    return name === undefined ? undefined : this.#memberOf(this.#evaluate(child(node, 'object'), scope), name);
  }

  #memberOf(value: Value, key: string): Value {
    if (value.kind === 'reference') return this.#reference({ from: value.from, path: [...value.path, key] }, value.line);
    return entryOf(value, key);
  }

  #reference({ from, path }: ImportSource, line: number): Value {
    const known = this.#around === undefined ? undefined : referenceValue({ from, path }, line, this.#around);
    return known ?? { kind: 'reference', from, path, line };
  }

  #binary(node: SyntaxNode, scope: Scope): Value | undefined {
    const result = binary(node.operator, this.#evaluate(child(node, 'left'), scope), this.#evaluate(child(node, 'right'), scope));
    return result === undefined ? undefined : { kind: 'plain', value: result.value, line: lineOf(node) };
  }

  /** `a && b`, `a || b`, `a ?? b`, `a ? b : c`: only the chosen expression has to be known. */
  #choice(node: SyntaxNode, scope: Scope): Value | undefined {
    const value = this.#evaluate(child(node, node.type === 'ConditionalExpression' ? 'test' : 'left'), scope);
    if (node.type === 'LogicalExpression') {
      const toRight = takesRight(node.operator, value);
      if (toRight === false) return value;
      return toRight === undefined ? undefined : this.#evaluate(child(node, 'right'), scope);
    }
    const truthy = isTruthy(value);
    return truthy === undefined ? undefined : this.#evaluate(child(node, truthy ? 'consequent' : 'alternate'), scope);
  }

  #call(node: SyntaxNode, scope: Scope): Value | undefined {
    const callee = child(node, 'callee');
    const args = nodesAt(node, 'arguments');
    const line = lineOf(node);
    if (nameOf(callee) === 'require') {
      const [module] = args;
      return typeof module?.value === 'string' ? { kind: 'reference', from: module.value, path: [], line } : undefined;
    }
    const values = () => {
      const all = args.map((each) => this.#evaluate(each, scope));
      for (const each of all) this.#reads(textIn(each));
      return all;
    };
    const object = callee?.type === 'MemberExpression' && callee.computed !== true ? child(callee, 'object') : undefined;
    const text = object === undefined ? undefined : textIn(this.#evaluate(object, scope));
    if (text !== undefined) {
      this.#reads(text);
      return methodValue(text, nameOf(child(callee, 'property')) ?? '', values(), line);
    }
    const target = this.#evaluate(callee, scope);
    if (target.kind !== 'reference') return undefined;
    const { from, path } = target;
    const known = this.#around === undefined ? undefined : callValue(target, values(), line, this.#around);
    return known ?? { kind: 'call', from, path, arguments: values(), line };
  }

  #template(node: SyntaxNode, scope: Scope): Value | undefined {
    const parts = nodesAt(node, 'expressions').map((each) => this.#evaluate(each, scope));
    let text = '';
    for (const [index, quasi] of nodesAt(node, 'quasis').entries()) {
      const { value } = quasi;
      if (typeof value !== 'object' || value === null || !('cooked' in value)) return undefined;
      const part = index === 0 ? undefined : parts[index - 1];
      if (part !== undefined && part.kind !== 'plain') return undefined;
      text += `${part === undefined ? '' : part.value}${value.cooked}`;
      if (text.length > maxTextLength) return undefined;
    }
    return { kind: 'plain', value: text, line: lineOf(node) };
  }

  #unary(node: SyntaxNode, scope: Scope): Value | undefined {
    const inner = this.#evaluate(child(node, 'argument'), scope);
    if (inner.kind !== 'plain') return undefined;
    const line = lineOf(node);
    if (node.operator === '!') return { kind: 'plain', value: !inner.value, line };
    if (node.operator === '-') return { kind: 'plain', value: -Number(inner.value), line };
    return node.operator === 'void' ? { kind: 'plain', value: undefined, line } : undefined;
  }

  /** The parameters of a function. */
  #scopeOf(node: SyntaxNode, outer: Scope): Scope {
    const scope: Scope = { bindings: new Map(), outer };
    for (const [index, parameter] of nodesAt(node, 'params').entries()) {
      bindPattern(scope, parameter, (path) => ({ kind: 'source', from: `(${index})`, path }));
    }
    return scope;
  }

  /** Evaluates the return value of a function without branches. */
  #returned(node: SyntaxNode, outer: Scope): Value {
    const line = lineOf(node);
    const unknown: Value = { kind: 'unknown', line };
    const body = child(node, 'body');
    if (body === undefined || node.async === true || node.generator === true) return unknown;
    const scope = this.#scopeOf(node, outer);
    if (body.type !== 'BlockStatement') return this.#evaluate(body, scope);
    return this.#run(nodesAt(body, 'body'), scope) ?? { kind: 'plain', value: undefined, line };
  }

  /** The value that statements return, or undefined. Follows branches with known conditions. */
  #run(statements: readonly SyntaxNode[], scope: Scope): Value | undefined {
    for (const statement of statements) declare(statement, scope);
    for (const statement of statements) {
      const argument = child(statement, 'argument');
      if (statement.type === 'ReturnStatement') {
        return argument === undefined ? { kind: 'plain', value: undefined, line: lineOf(statement) } : this.#evaluate(argument, scope);
      }
      if (statement.type === 'BlockStatement') {
        const value = this.#run(nodesAt(statement, 'body'), { bindings: new Map(), outer: scope });
        if (value !== undefined) return value;
      } else if (mayReturn(statement)) {
        const test = statement.type === 'IfStatement' ? child(statement, 'test') : undefined;
        const truthy = test === undefined ? undefined : isTruthy(this.#evaluate(test, scope));
        if (truthy === undefined) return { kind: 'unknown', line: lineOf(statement) };
        const branch = child(statement, truthy ? 'consequent' : 'alternate');
        const value = branch === undefined ? undefined : this.#run([branch], scope);
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }
}

function mayReturn(statement: SyntaxNode): boolean {
  let found = false;
  walk(statement, (each) => {
    found ||= each.type === 'ReturnStatement';
    return !isFunction(each);
  });
  return found;
}
