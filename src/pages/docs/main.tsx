/// <reference path="./swagger-ui-dist.d.ts" />
/** The page `/docs`: Swagger UI with the OpenAPI document that the visitor may see. */
import swaggerUi, { type SwaggerSystem, type Wrap } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { forSwaggerUi } from './for-swagger-ui.ts';
import { withNestedQuery } from './nested-query.ts';

const documentPath = `${document.documentElement.dataset.apiPrefix ?? '/api'}/openapi.json`;

const page = document.getElementById('page') ?? document.body;
const status = document.createElement('p');
const reference = document.createElement('div');

followColourScheme();
page.append(header(), reference);
mendAccessibility(reference);
void start();

/** The key of Swagger UI's own style sheet for dark pages. */
function followColourScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

function header(): HTMLElement {
  const bar = document.createElement('header');
  const title = document.createElement('h1');
  title.textContent = 'API';
  status.setAttribute('role', 'status');
  bar.append(link('/', 'Lectern'), title, status, link(documentPath, 'openapi.json'));
  return bar;
}

function link(href: string, text: string): HTMLAnchorElement {
  const made = document.createElement('a');
  made.href = href;
  made.textContent = text;
  return made;
}

/** Each token sees another document. `token` is undefined for the rights of the role Public. */
async function load(token: string | undefined): Promise<object> {
  const response = await fetch(documentPath, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });
  if (response.ok) return forSwaggerUi(await response.json());
  throw new Error(response.status === 401 ? 'This token is not valid.' : `The document cannot be loaded (${response.status}).`);
}

async function start(): Promise<void> {
  try {
    const spec = await load(undefined);
    describeRights(spec, undefined);
    swaggerUi({
      spec,
      domNode: reference,
      presets: [swaggerUi.presets.apis],
      plugins: [() => ({ statePlugins: { auth: { wrapActions: { authorize: loadWithToken, logout: loadWithoutToken } } } })],
      layout: 'BaseLayout',
      validatorUrl: null,
      deepLinking: true,
      filter: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      requestInterceptor: (request) => ({ ...request, url: withNestedQuery(request.url, location.href) }),
    });
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
  }
}

const loadWithToken: Wrap = (original, system) => (payload) => {
  const token = tokenIn(payload);
  void show(system, token).then((isValid) => {
    if (!isValid) system.authActions.logout(['bearer']);
  });
  return original(payload);
};

const loadWithoutToken: Wrap = (original, system) => (payload) => {
  void show(system, undefined);
  return original(payload);
};

/** What Swagger UI passes when a token was entered: `{ bearer: { value } }`. */
function tokenIn(payload: unknown): string | undefined {
  const authorization = payload as { readonly bearer?: { readonly value?: string } };
  return authorization.bearer?.value?.trim() || undefined;
}

/** The last request counts: a slow document must not replace a newer one. */
let requests = 0;

async function show(system: SwaggerSystem, token: string | undefined): Promise<boolean> {
  const request = ++requests;
  try {
    const spec = await load(token);
    if (request !== requests) return true;
    system.specActions.updateSpec(JSON.stringify(spec));
    describeRights(spec, token);
    return true;
  } catch (error) {
    if (request === requests) refused = error instanceof Error ? error.message : String(error);
    return request !== requests;
  }
}

/** Why the last token was refused; shown until the next one. */
let refused = '';

function describeRights(spec: object, token: string | undefined): void {
  // Paths such as `/api/_me` are open to everybody, and say what else there is.
  const isEmpty = 'paths' in spec && Object.keys(spec.paths as object).every((path) => path.includes('/_'));
  const ofEverybody = `${isEmpty ? 'Nothing is open to everybody.' : 'What everybody may use.'} Authorize with an API token or a jwt to see more.`;
  const ofToken = isEmpty ? 'This token may use nothing.' : 'What this token may use.';
  status.textContent = `${refused} ${token === undefined ? ofEverybody : ofToken}`.trim();
  refused = '';
}

/** What Swagger UI lacks for screen readers and keyboards: names of fields, and scrolling. */
function mendAccessibility(root: Element): void {
  // Swagger UI draws again and again, and keeps attributes that it does not know.
  new MutationObserver(() => {
    for (const row of root.querySelectorAll<HTMLElement>('tr[data-param-name]')) {
      for (const field of row.querySelectorAll('select, input, textarea')) name(field, row.dataset.paramName ?? '');
    }
    for (const field of root.querySelectorAll('.body-param textarea')) name(field, 'Request body');
    for (const field of root.querySelectorAll('.content-type')) name(field, 'Media type');
    for (const block of root.querySelectorAll('pre.microlight:not([tabindex])')) block.setAttribute('tabindex', '0');
  }).observe(root, { childList: true, subtree: true });
}

function name(field: Element, text: string): void {
  if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', text);
}
