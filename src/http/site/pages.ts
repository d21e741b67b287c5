/** Pages that are programs of their own, from `dist/pages/` (`build/pages.mjs`). */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { isConsoleOn } from '../../config/console-pages.ts';
import { digestOf } from '../../text/digest.ts';
import { matchesTag } from '../etag.ts';
import { consolePolicy } from './console/console-policy.ts';

/** All files but the pages themselves are compressed, to keep the package small. */
const compressed = '.br';
const decompress = promisify(brotliDecompress);

/** Beside the bundle of the server; without a build there are no pages. */
const folder = new URL('./pages/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Scripts, styles and requests of this origin alone, nothing inline. */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** With trusted types, text never becomes markup by mistake. */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" };

type Directives = Readonly<Record<string, string>>;

const policyText = (directives: Directives): string =>
  Object.entries(directives)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');

/** No window of another origin shares the page's process, and none loads its scripts. */
const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'x-robots-tag': 'noindex' };

/** The names of the pages that the build has made: `explore` is served at `/explore`. */
const builtPages: readonly string[] = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((name) => name.slice(0, -'.html'.length))
  : [];

export const hasPage = (config: Pick<Config, 'site' | 'console'>, page: string): boolean =>
  builtPages.includes(page) && (page === 'console' ? isConsoleOn(config) : config.site.pages);

export function servePages(app: FastifyInstance, config: Config): void {
  const { prefix } = config.api;
  if (builtPages.length === 0) return;
  const serve = (page: string, urls: readonly string[], directives: Directives) => {
    if (!hasPage(config, page)) return;
    for (const url of urls) serveFile(app, url, `${page}.html`, pageHeaders(directives), prefix);
  };
  serve('docs', ['/docs'], policy);
  serve('explore', ['/explore'], { ...policy, ...trustedTypes });
  // The page reads from the path what it shows.
  serve('console', ['/console', '/console/*'], { ...policy, ...trustedTypes, ...consolePolicy(config) });
  // A route for each file: a request cannot name any other.
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(compressed)) continue;
    const name = file.slice(0, -compressed.length);
    serveFile(app, `/_pages/${name}`, name, assetHeaders);
  }
}

const pageHeaders = (directives: Directives) => ({
  ...isolated,
  'cache-control': 'no-cache',
  'content-security-policy': policyText(directives),
});
/** Their names change with their content. */
const assetHeaders = { ...isolated, 'cache-control': 'public, max-age=31536000, immutable' };

interface PageFile {
  readonly content: Buffer;
  readonly tag: string;
}

function serveFile(app: FastifyInstance, url: string, name: string, headers: Readonly<Record<string, string>>, prefix = ''): void {
  // Read by its first request, since a start needs none of them.
  let file: Promise<PageFile> | undefined;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    file ??= readPageFile(name, prefix).catch((error: unknown) => {
      file = undefined;
      throw error;
    });
    const { content, tag } = await file;
    reply.headers({ ...headers, etag: tag });
    if (matchesTag(request.headers['if-none-match'] ?? '', tag)) return reply.code(304).send();
    return reply.header('content-type', types[extname(name)] ?? 'application/octet-stream').send(content);
  };
  app.route({ method: ['GET', 'HEAD'], url, handler });
}

async function readPageFile(name: string, prefix: string): Promise<PageFile> {
  const content = name.endsWith('.html')
    ? Buffer.from((await readFile(new URL(name, folder), 'utf8')).replace('<html ', `<html data-api-prefix="${prefix}" `))
    : await decompress(await readFile(new URL(`${name}${compressed}`, folder)));
  return { content, tag: `"${digestOf(content)}"` };
}
