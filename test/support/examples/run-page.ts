/** Runs the examples of a page in their order, and says what is wrong with them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { vi } from 'vitest';
import { isServerCommand, type Started, startInBackground } from './background.ts';
import { isCodeFile, repeatedMistakes } from './code-files.ts';
import { type Aliases, cut, differences, isShownJson, parseShown } from './compare-shown.ts';
import { checkFile } from './files.ts';
import type { Block } from './page-examples.ts';
import type { World } from './world.ts';

/** The response to the last request, or the output of the last commands. */
type Last =
  | { readonly kind: 'response'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly kind: 'output'; readonly text: string };

const request = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)(?: +(\{.*\}))?( +\(with a token\))?\n((?:[A-Z][\w-]*: .*\n)*)(?:\n(.*))?$/s;
const status = /^HTTP\/1\.1 (\d{3})[^\n]*\n/;
const refusal = /^(\d{3}) (\w+): ([^\n]*)(?:\n(.*))?$/s;

export class PageRun {
  readonly #world: World;
  readonly #aliases: Aliases = new Map();
  readonly #ports = new Map<string, string>();
  readonly #started: Started[] = [];
  #programs = 0;
  #last: Last = { kind: 'output', text: '' };

  constructor(world: World) {
    this.#world = world;
  }

  /** The mistakes of a block; none if it does what the page says. `next` is the block after it. */
  async run(block: Block, next: Block | undefined): Promise<readonly string[]> {
    if (/(127\.0\.0\.1|localhost):1337/.test(block.text) && !this.#ports.has('http://127.0.0.1:1337'))
      this.#serve('1337', (await this.#world.server()).base);
    if (isCodeFile(block)) return repeatedMistakes(block);
    const text = this.#real(block.text);
    if (block.language === 'sh' || block.language === 'bash') return this.#commands(block, text, next);
    const requests = text.trimEnd().split('\n');
    if (requests.length > 1 && requests.every((line) => request.test(`${line}\n`))) {
      const wrong: string[] = [];
      for (const line of requests) wrong.push(...(await this.#request(`${line}\n`)));
      return wrong;
    }
    if (request.test(text)) return this.#request(text);
    if (status.test(text)) return this.#headers(block.text);
    if (['js', 'mjs', 'ts'].includes(block.language)) return this.#program(text);
    if (isShownJson(block.text)) {
      const shown = parseShown(block.text);
      const file = await checkFile(shown, this.#world);
      return file ?? this.#answer(shown);
    }
    if (block.language === 'json') return ['this is no JSON'];
    if (/^\/\S+\n$/.test(text)) return this.#request(`GET ${text}`);
    if (block.language === '' || block.language === 'text') return this.#output(text);
    return [`a test cannot run ${block.language}: mark the block as not run`];
  }

  async end(): Promise<void> {
    for (const each of this.#started) await each.end();
  }

  #serve(shownPort: string, base: string): void {
    for (const host of ['127.0.0.1', 'localhost']) this.#ports.set(`http://${host}:${shownPort}`, base);
  }

  /** The values of this run in the place of those that the page shows. */
  #real(text: string): string {
    let real = text
      .replaceAll(/("password": *)"…"/g, `$1"${this.#world.password}"`)
      .replaceAll('Bearer …', `Bearer ${this.#world.token}`)
      .replaceAll("password: '…'", `password: '${this.#world.password}'`);
    for (const [shown, there] of [...this.#aliases, ...this.#ports]) real = real.replaceAll(shown, there);
    return real;
  }

  async #commands(block: Block, text: string, next: Block | undefined): Promise<readonly string[]> {
    // The last command may be a server, which runs on beside the commands that follow it.
    const lines = text.trimEnd().split('\n');
    const [, before = '', server = ''] = /^(.* && )?(.*)$/.exec(lines.at(-1) ?? '') ?? [];
    const serves = !block.hidden && isServerCommand(server);
    const commands = serves ? [...lines.slice(0, -1), before.replace(/ && $/, '')].join('\n').trim() : text;
    const refused = next !== undefined && /"error": ?\{\s*"status"|^[45]\d\d /.test(next.text);
    const { output, status: ended } = commands === '' ? { output: '', status: 0 } : await this.#world.shell.run(commands);
    this.#last = { kind: 'output', text: output };
    // 3 says that there is something to do.
    if (!refused && ended !== 0 && ended !== 3) return [`it ends with ${ended}: ${output}`];
    if (refused && ended === 0) return [`it succeeds, and the page shows an error: ${output}`];
    if (!serves) return [];
    const started = await startInBackground(server, this.#world);
    this.#started.push(started);
    this.#serve(started.shownPort, started.base);
    this.#last = { kind: 'output', text: `${output}\n${started.output()}` };
    return [];
  }

  async #request(text: string): Promise<readonly string[]> {
    const [, method = '', path = '', body, token, headers = '', expected] = request.exec(text) ?? [];
    const given = [...headers.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const);
    // What the page requests is read by anyone, unless it says so; writing needs the token in any case.
    const authorised = token !== undefined || method !== 'GET' || path.startsWith('/api/users');
    const response = await fetch((await this.#world.server()).base + path, {
      method,
      headers: {
        ...(authorised ? { authorization: `Bearer ${this.#world.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(given),
      },
      ...(body === undefined ? {} : { body }),
    });
    const answer = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') === true && answer !== '';
    this.#last = { kind: 'response', status: response.status, headers: response.headers, body: json ? JSON.parse(answer) : answer };
    if (expected === undefined || expected.trim() === '')
      return response.status < 500 ? [] : [`the server responds with ${response.status}`];
    const refused = refusal.exec(expected.trim());
    if (refused === null) {
      const wrong = response.status < 300 ? [] : [`the server responds with ${response.status}`];
      const shown = expected.trim().startsWith('"') ? `{${expected.trim().replaceAll(/\n"(data|meta)"/g, ',\n"$1"')}}` : expected;
      return [...wrong, ...differences(parseShown(shown), this.#last.body, { aliases: this.#aliases, idsVary: false })];
    }
    const [, code = '', name = '', message = '', details] = refused;
    const error = (this.#last.body as { readonly error?: { readonly name?: string; readonly message?: string } }).error ?? {};
    const got = `${response.status} ${error.name}: ${error.message}`;
    return [
      ...(cut(`${code} ${name}: ${message}`).test(got) ? [] : [`the server responds with ${got}`]),
      ...(details === undefined || details.trim() === ''
        ? []
        : differences(parseShown(details), error, { aliases: this.#aliases, idsVary: false })),
    ];
  }

  #headers(text: string): readonly string[] {
    if (this.#last.kind !== 'response') return ['no request comes before this response'];
    const { status: got, headers } = this.#last;
    const [first = '', ...lines] = text.trim().split('\n');
    const shown = lines.map((line) => /^([\w-]+): (.*)$/.exec(line) ?? []);
    return [
      ...(first.startsWith(`HTTP/1.1 ${got} `) ? [] : [`the server responds with ${got}`]),
      ...shown.flatMap(([, name = '', value = '']) => {
        const sent = headers.get(name) ?? '';
        if (withoutTimes(sent) === withoutTimes(value)) return [];
        return differences(value, sent, { aliases: this.#aliases, idsVary: true }, `the header ${name}`);
      }),
    ];
  }

  #answer(shown: unknown): readonly string[] {
    const answer = this.#last.kind === 'response' ? this.#last.body : jsonOf(this.#last.text);
    if (answer === undefined) return ['nothing that comes before it answers with JSON'];
    return differences(shown, answer, { aliases: this.#aliases, idsVary: true });
  }

  /** Each line is in the output, with other numbers and names of folders. */
  async #output(text: string): Promise<readonly string[]> {
    const printed = this.#last.kind === 'output' && this.#last.text !== '' ? this.#last.text : (await this.#world.server()).output.stdout;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const missing = lines.filter((line) => !new RegExp(cut(plain(line).trim()).source.replace(/^\^|\$$/g, ''), 's').test(plain(printed)));
    return missing.length === 0 ? [] : missing.map((line) => `this is not in the output: ${line}\n${printed}`);
  }

  async #program(code: string): Promise<readonly string[]> {
    const file = join(this.#world.folder, `example-${this.#programs++}.mjs`);
    const { outputText } = transpileModule(code, { compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 } });
    writeFileSync(file, outputText);
    vi.stubGlobal('token', this.#world.token);
    vi.stubGlobal('blob', new Blob([readFileSync(join(this.#world.folder, 'public/uploads/lighthouse_at_dusk_947da0ec4d.png'))]));
    for (const [name, value] of Object.entries(this.#world.environment)) vi.stubEnv(name, value);
    const log = vi.spyOn(console, 'log').mockReturnValue();
    try {
      await import(/* @vite-ignore */ file);
      this.#last = { kind: 'output', text: log.mock.calls.map((values) => `${format(...values)}\n`).join('') };
      return [];
    } catch (error) {
      return [`it throws ${error}`];
    } finally {
      log.mockRestore();
      vi.unstubAllGlobals();
      vi.unstubAllEnvs();
    }
  }
}

/** The numbers of `Server-Timing` that vary. */
const withoutTimes = (header: string) => header.replaceAll(/dur=[\d.]+/g, 'dur=0');

/** Numbers, sizes and dates vary, and folders are those of this machine. */
const plain = (text: string) =>
  text
    .replaceAll(/(?<![\w.])\/[\w./-]*\/(?=[\w.-])/g, '/')
    .replaceAll(/\d[\d,.:T-]*/g, '0')
    .replaceAll(/\b0 [kMG]?B\b/g, '0 B')
    .replaceAll(/ +/g, ' ');

/** The JSON that a text ends with. */
function jsonOf(text: string): unknown {
  const start = text.search(/[{[]/);
  if (start === -1) return undefined;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
}
