/** The texts of the files of a new project, besides its schema files. */
import { randomBytes } from 'node:crypto';
import { type Profile, profileSummaries } from '../config/profile.ts';
import type { DatabaseServer } from './database-choice.ts';
import type { Template, TemplateType } from './templates.ts';

export interface ProjectTexts {
  /** The name of the folder. */
  readonly name: string;
  readonly profile: Profile;
  readonly template: Template;
  /** What `package.json` depends on. */
  readonly dependency: string;
  /** Undefined for a file of the project. */
  readonly server: DatabaseServer | undefined;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const types = ({ schemas }: Template): readonly TemplateType[] => schemas.flatMap((schema) => ('type' in schema ? [schema] : []));

/** Path → text. The secrets are new at each call. */
export function projectFiles(texts: ProjectTexts): Readonly<Record<string, string>> {
  return {
    '.gitignore': ['node_modules/', '.tmp/', '.env', 'public/uploads/', ''].join('\n'),
    'lectern.config.json': json(configuration(texts.profile)),
    'package.json': json(manifest(texts)),
    'permissions.json': json(permissions(texts.template)),
    'README.md': readme(texts),
    'src/api/.gitkeep': '',
  };
}

const secret = (): string => randomBytes(32).toString('base64url');

const databaseVariables = (server: DatabaseServer | undefined): string =>
  server === undefined
    ? 'DATABASE_CLIENT=sqlite\nDATABASE_FILENAME=.tmp/data.db'
    : `DATABASE_CLIENT=${server.client}
# User, password, host, port and name: ${server.client}://user:password@host:port/name, where special characters are percent-encoded.
# The database has to be there before the first start, which makes its tables:
#   ${server.make}
DATABASE_URL='${server.url}'`;

/** Only its owner may read this file. */
export const dotEnv = (
  server: DatabaseServer | undefined,
): string => `# Secrets and settings of this machine; not for version control. Every other setting: docs/configuration.md of Lectern.

# 127.0.0.1 answers this machine only; 0.0.0.0 answers everybody.
HOST=127.0.0.1
PORT=1337

${databaseVariables(server)}

# Signs the tokens of users. A new value signs everybody out.
JWT_SECRET=${secret()}
# Salt of the stored API tokens. With a new value all of them are refused.
API_TOKEN_SALT=${secret()}
`;

const configuration = (profile: Profile) => ({
  profile,
  api: { defaultLimit: 25, maxLimit: 100 },
  cors: { origins: ['*'] },
  history: { versions: 50 },
});

/** Names of npm packages are small letters, digits and "-". */
export const packageName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'project';

const manifest = ({ name, dependency }: ProjectTexts) => ({
  name: packageName(name),
  private: true,
  scripts: { dev: 'lectern dev', start: 'lectern start' },
  dependencies: { lectern: dependency },
});

/** Users have the role `authenticated` instead of `public`, so both get the same. */
function permissions(template: Template) {
  const rights = Object.fromEntries(types(template).flatMap((each) => (each.public ? [[each.type, ['find', 'findOne']]] : [])));
  return { roles: { public: { rights }, authenticated: { rights }, editor, administrator } };
}

/** For the console. */
export const editor = {
  name: 'Editor',
  description: 'Writes and publishes all content',
  rights: {
    'api::*': ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'],
    'plugin::upload.content-api': ['upload', 'find', 'findOne', 'findPage', 'destroy'],
    'plugin::i18n.locales': ['listLocales'],
    'plugin::users-permissions.user': ['me'],
    'plugin::users-permissions.auth': ['changePassword', 'logout', 'getSessions', 'revokeSession'],
  },
};

/** For the console, with its page “Access”: users, roles, API tokens, webhooks and sessions. */
const administrator = {
  name: 'Administrator',
  description: 'Does what editors do, and manages users, roles and API tokens',
  rights: { ...editor.rights, 'lectern::management': ['access'] },
};

const profiles = (['specification', 'strapi'] as const).map((each) => `\`${each}\`: ${profileSummaries[each]}.`).join(' ');

const readme = ({ name, profile, template, server }: ProjectTexts): string => `# ${name}

A content API, served by Lectern: ${template.summary}.

\`\`\`sh
npm install                                                  # installs Lectern
npm run dev                                                  # serves it at http://127.0.0.1:1337 and reloads when a file changes
npx lectern make type event title:string! start:datetime     # adds a content type
npx lectern token create --name website --type read-only     # makes an API token for a program
npx lectern user create --username ada --email ada@example.org --role editor --link  # adds somebody who writes at /console; \`--role administrator\` manages users as well
\`\`\`

\`npm start\` serves it in production, and \`npx lectern check\` looks for mistakes first.
docs/console.md of Lectern is about editing in the browser, and docs/seed.md about filling it from files.

| file | |
| --- | --- |
| \`src/api/<name>/content-types/<name>/schema.json\` | a content type |
| \`src/components/<category>/<name>.json\` | a component, which content types share |
| \`permissions.json\` | what visitors (\`public\`), users who have signed in (\`authenticated\`) and those who write (\`editor\`, every content type) or manage users and rights as well (\`administrator\`) may do; a user does not have the rights of visitors as well, so give both what both may do; every start brings it to the database |
| \`lectern.config.json\` | the settings of the project |
| \`.env\` | the secrets and the settings of one machine${server === undefined ? '' : ', such as the URL of the database'}; not under version control |
${server === undefined ? '| `.tmp/data.db` | the database; `npx lectern backup` copies it while the server runs |\n' : ''}
What \`lectern.config.json\` chooses (the file is JSON, which has no comments):

| key | |
| --- | --- |
| \`profile\` | \`${profile}\` here. ${profiles} |
| \`api.defaultLimit\`, \`api.maxLimit\` | A list has 25 entries, and at most 100 if the request asks for more. |
| \`history.versions\` | Each document keeps its last 50 versions, for 90 days; editors can restore them (docs/history.md of Lectern). |
| \`cors.origins\` | Pages of every site may read the API; name the origins of yours before users sign in (docs/front-ends.md of Lectern). |
`;
