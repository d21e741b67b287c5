/** A site with previews, written as Strapi's documentation tells: it asks for texts with source maps,
 *  and talks with the panel that shows it in a frame. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../support/listen.ts';
import { root } from '../../support/packed.ts';

export interface PreviewSite {
  readonly origin: string;
  /** The paths of the pages that were requested. */
  readonly requested: readonly string[];
  close(): void;
}

/** What the page of an article shows: the API, and another article. */
export interface Shown {
  readonly base: string;
  readonly token: string;
  readonly other: string;
}

/** `/article/:documentId` shows an article, and so does `/plain/:documentId`, which listens to no messages. */
export async function startPreviewSite(shown: () => Shown): Promise<PreviewSite> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    requested.push(url);
    const [, kind, documentId = ''] = url.split('/');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(pageOf(shown(), documentId, kind === 'article' ? listener(shown().base) : ''));
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    requested,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The script of docs/console.md, which draws the page again without loading it. */
function listener(base: string): string {
  const [, script] = /```js\n(addEventListener\('message'.*?)```/s.exec(readFileSync(join(root, 'docs/console.md'), 'utf8')) ?? [];
  if (script === undefined) throw new Error('docs/console.md has no script for previews');
  return `<script>${script.replace('https://cms.example.org', base).replace('location.reload()', 'draw()')}</script>`;
}

const pageOf = ({ base, token, other }: Shown, documentId: string, script: string) => `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<main></main>
<script>
  const populate = 'populate[category]=true&populate[cover]=true&populate[links]=true&populate[blocks][populate]=*';
  const read = async (id, locale) => {
    const headers = { Authorization: 'Bearer ${token}', 'Strapi-Encode-Source-Maps': 'true' };
    const response = await fetch('${base}/api/articles/' + id + '?status=draft&locale=' + locale + '&' + populate, { headers });
    return (await response.json()).data;
  };
  async function draw() {
    const [article, french, other] = await Promise.all([read('${documentId}', 'en'), read('${documentId}', 'fr'), read('${other}', 'en')]);
    const main = document.createElement('main');
    const add = (name, more) => {
      const element = Object.assign(document.createElement(name), more);
      main.append(element);
      return element;
    };
    add('h1').append(Object.assign(document.createElement('a'), { textContent: article.title, href: '/plain/${documentId}' }));
    const texts = {
      summary: article.summary,
      category: article.category.name,
      'link-0': article.links[0].label,
      'link-1': article.links[1].label,
      'block-0': article.blocks[0].body,
      french: french.title,
      other: other.title,
      'other-link': other.links[0].label,
    };
    for (const [id, textContent] of Object.entries(texts)) add('p', { id, textContent });
    add('img', { alt: article.cover.alternativeText, width: 40, height: 40 });
    document.querySelector('main').replaceWith(main);
  }
  draw();
</script>
${script}
`;
