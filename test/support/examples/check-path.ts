import type { Span } from './page-examples.ts';
import type { World } from './world.ts';

/** `/api/articles?sort=title`, `POST /api/upload?id=`, `GET /api/upload/files/:id` */
const path = /^(?:(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) )?(\/(?:api|uploads|_health|_ready|explore|docs)\b[^\s`]*)$/;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** `filters[category][slug]=bread`, of which no part is a place for a name. */
const parameters = /^(?:fields|populate|filters|sort|pagination|locale|_q)[=[][^\s…<]*$/;

/** The mistakes in parameters that a text names: lists of articles refuse them, and the text does not say so. */
export async function checkParameters({ text, refused }: Span, world: World): Promise<readonly string[]> {
  if (!parameters.test(text) || !text.includes('=') || text.includes('[operator]')) return [];
  const response = await fetch(`${(await world.server()).base}/api/articles?${text}`, {
    headers: { authorization: `Bearer ${world.token}` },
  });
  const body = await response.text();
  return response.status < 400 || refused ? [] : [`${text}: the server responds with ${body}`];
}

/** The mistakes in a path that a text names: the server has no such route, or it refuses the query. Without a method, one of them has to exist. */
export async function checkPath(code: string, world: World): Promise<readonly string[]> {
  const [, method, named = ''] = path.exec(code) ?? [];
  if (named === '') return [];
  const concrete = named
    .replaceAll('<pluralName>', 'articles')
    .replaceAll('<singularName>', 'homepage')
    .replaceAll(/(?<=\/):\w+|<\w+>|…/g, '1');
  // A folder, in which no path stands alone.
  if (/^\/(?:api|uploads|api\/_manage)\/?$/.test(concrete) || named.endsWith('/…')) return [];
  for (const tried of method === undefined ? methods : [method]) {
    const reads = tried === 'GET' || tried === 'HEAD';
    // Only reads have credentials: nothing that a text names changes the content.
    const token = concrete.startsWith('/api/_manage') ? world.environment.LECTERN_MANAGEMENT_TOKEN : world.token;
    const response = await fetch((await world.server()).base + concrete, {
      method: tried,
      redirect: 'manual',
      headers: reads ? { authorization: `Bearer ${token}` } : {},
    });
    const text = await response.text();
    const absent = response.status === 405 || response.status === 501 || text.includes('"route.not-found"');
    if (absent || (concrete.startsWith('/uploads') && response.status === 404)) continue;
    if (reads && concrete.includes('?') && !concrete.startsWith('/uploads') && response.status >= 400)
      return [`${code}: the server responds with ${text}`];
    return [];
  }
  return concrete.startsWith('/uploads') ? [] : [`${code}: the server has no such route`];
}
