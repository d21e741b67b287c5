/** `GET /`: a page for people who open the server's URL in a browser. It names only what anonymous
 *  callers may read, and no version, which would help to look up weaknesses. */
import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { profileSummaries } from '../../config/profile.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import type { Rights } from '../../rights/rights.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { packageFile } from '../../text/package-file.ts';
import { hasPage } from './pages.ts';

const style = `
:root{color-scheme:light dark;--ink:#1d2430;--soft:#5b6675;--line:#dfe3ea;--paper:#fbfbf9;--card:#fff;--accent:#0b6e5f}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaee;--soft:#9aa5b4;--line:#2c333e;--paper:#14171c;--card:#1b1f26;--accent:#5fd0bb}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:3.5rem 1.25rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .35rem;letter-spacing:-.02em}
h2{font-size:1.05rem;margin:2.5rem 0 .75rem}
p{margin:.4rem 0}
.soft{color:var(--soft)}
a{color:var(--accent);text-underline-offset:.15em}
ul{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:.6rem;background:var(--card);overflow:hidden}
li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;padding:.7rem 1rem}
li+li{border-top:1px solid var(--line)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,monospace}
nav{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.75rem;margin-top:2rem}
nav a{display:block;padding:.9rem 1rem;border:1px solid var(--line);border-radius:.6rem;background:var(--card);text-decoration:none}
nav a:hover{border-color:var(--accent)}
nav strong,nav .soft{display:block}
.links{display:flex;gap:1rem}
footer{margin-top:2.5rem;font-size:.9rem}
`;

/** The content security policy of the page: this style, links, nothing else. */
export const homePagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface HomePage {
  readonly config: Config;
  readonly model: ContentModel;
  /** The project's name, in development. */
  readonly project: string | undefined;
  readonly publicRights: Rights;
}

export function homePage({ config, model, project, publicRights }: HomePage): string {
  const types = [...model.contentTypes.values()]
    .filter((type) => type.routed)
    .sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));
  const open = types.filter((type) => publicRights.allows(`${type.uid}.find`));
  const title = escaped(project ?? 'Lectern');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/favicon.ico">
<style>${style}</style>
<main>
<h1>${title}</h1>
<p class="soft">A content REST API${project === undefined ? '' : ', served by Lectern'}.
Its profile is <code>${config.profile}</code>: ${profileSummaries[config.profile]}.</p>
${pageLinks(config)}<h2>Content that anyone may read</h2>
${open.length === 0 ? '<p>None yet: the role Public has no right to find any content type.</p>' : `<ul>\n${open.map((type) => entry(type, config)).join('\n')}\n</ul>`}
${hiddenNote(types.length - open.length)}
<h2>More</h2>
<ul>
<li><code>/_health</code><span class="soft">204, without a page, while the process responds</span></li>
<li><code>/_ready</code><span class="soft">200 while requests can be served</span></li>
${queryLanguage(config, project)}
</ul>
<footer class="soft"><code>${lecternCommand('routes')}</code> in the project’s folder lists every route with the right that it needs.</footer>
</main>
</html>
`;
}

function entry({ displayName, kind, pluralName, singularName }: ContentType, config: Config): string {
  const path = escaped(`${config.api.prefix}/${kind === 'singleType' ? singularName : pluralName}`);
  const explore = hasPage(config, 'explore') ? ` <a href="/explore#${path}" aria-label="explore ${escaped(displayName)}">explore</a>` : '';
  const label = kind === 'singleType' ? 'single' : 'collection';
  return `<li><span>${escaped(displayName)} <span class="soft">${label}</span></span><span class="links"><a href="${path}"><code>${path}</code></a>${explore}</span></li>`;
}

const pageNotes: Readonly<Record<string, readonly [title: string, note: string]>> = {
  console: ['Console', 'Write and publish content, with the rights of your account.'],
  explore: ['Explore', 'Build a query by clicking, and see its URL, its response and its times.'],
  docs: ['Reference', 'Every path, parameter and response of the API, to read and to try.'],
};

function pageLinks(config: Config): string {
  const links = Object.entries(pageNotes).filter(([page]) => hasPage(config, page));
  if (links.length === 0) return '';
  const cards = links.map(([page, [title, note]]) => `<a href="/${page}"><strong>${title}</strong><span class="soft">${note}</span></a>\n`);
  return `<nav aria-label="Pages">\n${cards.join('')}</nav>\n`;
}

/** In development also the file of Lectern's package, which a developer can open. */
function queryLanguage(config: Config, project: string | undefined): string {
  const reference = hasPage(config, 'docs') ? '<a href="/docs">parameters of each path</a>' : '';
  const guide = project === undefined ? '' : `<code>${escaped(packageFile('docs/query.md'))}</code>`;
  return `<li><span>The query language <span class="soft">fields, populate, filters, sort, pagination</span></span>${reference}${guide}</li>`;
}

function hiddenNote(hidden: number): string {
  if (hidden === 0) return '';
  return `<p class="soft">${hidden} more content ${hidden === 1 ? 'type needs' : 'types need'} a token or a sign-in.</p>`;
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
