/** How common plugins are treated. Plugins that are not listed count as not served. */

export interface KnownPlugin {
  /** By the name of its package, or its key in `config/plugins`. */
  readonly names: readonly string[];
  readonly isServed: boolean;
  readonly what: string;
  /** Whether it changes what others may read or write, or what they get. */
  readonly isSecurity?: boolean;
}

/** `@strapi/plugin-seo` → `seo`, its key in `config/plugins`. */
export const shortName = (name: string): string => name.replace(/^(?:@[^/]+\/)?(?:strapi-)?(?:v?5-)?plugin-/, '');

export const knownAs = (name: string): KnownPlugin | undefined =>
  knownPlugins.find(({ names }) => names.some((each) => each === name || shortName(each) === name));

/** `names`: with spaces between them. */
const served = (names: string, what: string): KnownPlugin => ({ names: names.split(' '), isServed: true, what });
const notServed = (names: string, what: string, isSecurity = false): KnownPlugin => ({
  names: names.split(' '),
  isServed: false,
  what,
  isSecurity,
});
const inPanel = 'it works in the admin panel and needs nothing of the API';
const customField = 'its custom field is stored and served as its base type';
const noRoutes = 'its routes respond with 404';

const knownPlugins: readonly KnownPlugin[] = [
  served('@strapi/plugin-users-permissions', 'users, roles, signing in'),
  served('@strapi/plugin-i18n', 'locales'),
  served('@strapi/plugin-upload', 'the media library'),
  served('@strapi/plugin-email', 'mails of the accounts; code that sends mails is not run'),
  served('@strapi/plugin-cloud', 'it is used for deployments alone'),
  served('@strapi/plugin-content-manager content-type-builder content-releases review-workflows', inPanel),
  served('@strapi/plugin-seo strapi-plugin-config-sync @strapi/plugin-color-picker', inPanel),
  served('@_sh/strapi-plugin-ckeditor @ckeditor/strapi-plugin-ckeditor ckeditor5 strapi-plugin-multi-select', customField),
  served('strapi-plugin-tagsinput strapi-plugin-oembed strapi-plugin-country-select', customField),
  served('strapi-plugin-import-export-entries @strapi-community/plugin-import-export strapi-plugin-preview-button', inPanel),
  served('strapi-plugin-sso strapi-plugin-bulk-editor strapi-content-type-explorer', inPanel),
  notServed('@strapi/plugin-graphql', '`/graphql` responds with 404'),
  notServed('@strapi/plugin-documentation', '`/documentation` responds with 404; the OpenAPI document of Lectern is at /api/openapi.json'),
  notServed('@strapi/plugin-sentry', 'errors are not sent to Sentry; they are in the log'),
  notServed(
    'strapi-plugin-populate-deep strapi-v5-plugin-populate-deep strapi-5-plugin-populate-deep',
    '`pLevel` and `populate=deep` have no effect; "deep" in the setting `populate` does it for a type',
    true,
  ),
  notServed('strapi-plugin-transformer', "responses are not transformed: they have Strapi's own shape", true),
  notServed('strapi-plugin-slugify @strapi-community/plugin-slugify', 'it makes no slugs for what is written through Lectern'),
  notServed('strapi-plugin-rest-cache @strapi-community/plugin-rest-cache', 'Lectern has a cache of its own'),
  notServed(
    'strapi-plugin-meilisearch strapi-plugin-algolia strapi-algolia strapi-plugin-typesense',
    'what is written through Lectern does not reach the search index',
  ),
  notServed('strapi-plugin-navigation strapi-plugin-menus strapi-plugin-tree-menus', noRoutes),
  notServed('strapi-plugin-comments strapi-plugin-sitemap @pluginpal/webtools-core webtools strapi-plugin-ezforms', noRoutes),
  notServed(
    'strapi-plugin-email-designer strapi-plugin-email-designer-5',
    "mails of the accounts use Strapi's templates, not those of the plugin",
  ),
  notServed('strapi-plugin-passwordless strapi-plugin-magic-link strapi-plugin-firebase-auth', 'signing in by it responds with 404', true),
  notServed('strapi-plugin-io @strapi-community/plugin-io strapi-plugin-websocket', 'it sends nothing over WebSockets'),
];
