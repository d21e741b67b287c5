/** The routes beside the API: home page, health, favicon, robots. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Rights } from '../../rights/rights.ts';
import type { checkSecretToken } from '../check-secret-token.ts';
import { type HomePage, homePage, homePagePolicy } from './home-page.ts';
import { servePages } from './pages.ts';
import type { Readiness } from './readiness.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e5f"/><path d="M8 9h16l-3 9H11zM14.5 18h3v6h-3zM10 24h12v2H10z" fill="#fff"/></svg>`;
const robots = (prefix: string) => `User-agent: *\nDisallow: ${prefix}/\n`;

export function serveSite(
  app: FastifyInstance,
  parts: Omit<HomePage, 'publicRights'> & {
    readonly publicRights: () => Promise<Rights>;
    readonly readiness: Readiness;
    /** Undefined without a management token. */
    readonly checkToken: ReturnType<typeof checkSecretToken> | undefined;
  },
): void {
  const { config, model, project, publicRights, readiness, checkToken } = parts;
  if (config.site.pages) servePages(app, config);
  // Only whether the process responds: what asks here restarts processes, not databases.
  both(app, '/_health', (_, reply) => reply.code(204).send());
  const mayRead = async (request: FastifyRequest, reply: FastifyReply) => {
    if (checkToken === undefined || request.headers.authorization === undefined) return false;
    await checkToken(request, reply);
    return true;
  };
  both(app, '/_ready', (request, reply) => readiness.respond(request, reply, mayRead));
  // Otherwise the site's front door is Strapi's.
  if (config.upstream !== undefined) return;
  both(app, '/', async (_, reply) => {
    const page = homePage({ config, model, project, publicRights: await publicRights() });
    return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': homePagePolicy }).send(page);
  });
  serveText(
    app,
    '/robots.txt',
    ownFile(config.publicDir, 'robots.txt', 'text/plain; charset=utf-8') ?? {
      content: robots(config.api.prefix),
      type: 'text/plain; charset=utf-8',
    },
  );
  serveText(app, '/favicon.ico', ownFile(config.publicDir, 'favicon.ico', 'image/x-icon') ?? { content: icon, type: 'image/svg+xml' });
}

interface Served {
  readonly content: string | Buffer;
  readonly type: string;
}

/** A file from the project's public folder. */
function ownFile(publicDir: string, name: string, type: string): Served | undefined {
  const path = join(publicDir, name);
  return existsSync(path) ? { content: readFileSync(path), type } : undefined;
}

const serveText = (app: FastifyInstance, path: string, { content, type }: Served): void =>
  both(app, path, (_, reply) => reply.headers({ 'content-type': type, 'cache-control': 'max-age=3600' }).send(content));

function both(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.route({ method: ['GET', 'HEAD'], url, handler });
}
