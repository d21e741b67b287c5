/** `lectern init`: creates a project. Questions are asked only on a terminal. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Profile, profileSummaries } from '../../config/profile.ts';
import { StartError } from '../../errors/start-error.ts';
import { type CreatedProject, createProject, targetProblem } from '../../new-project/create-project.ts';
import { type DatabaseChoice, readDatabaseChoice } from '../../new-project/database-choice.ts';
import { packageDependency } from '../../new-project/package-dependency.ts';
import { type TemplateName, templateNames, templates } from '../../new-project/templates.ts';
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { packageFile } from '../../text/package-file.ts';
import { isTerminal } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { stopSignal } from '../stop-signal.ts';

interface InitOptions {
  readonly template?: TemplateName;
  readonly profile?: Profile;
  readonly database?: string;
  readonly yes?: boolean;
}

interface Choices {
  readonly folder: string;
  readonly template: TemplateName;
  readonly profile: Profile;
}

const defaults = { template: 'blog', profile: 'specification' } as const;

/** Standard output has only the API token, so that a script can read it. */
export async function init(namedFolder: string | undefined, options: InitOptions): Promise<number> {
  // A folder that cannot be used is reported before the first question.
  const problem = namedFolder === undefined ? undefined : targetProblem(namedFolder);
  if (problem !== undefined) throw new StartError([problem]);
  const database = databaseChoice(options.database ?? 'sqlite');
  const choices = isTerminal() && options.yes !== true ? await ask(namedFolder, options) : withDefaults(namedFolder, options);
  if (choices === undefined) {
    process.stderr.write('Interrupted: nothing was made.\n');
    return exitCodes.interrupted;
  }
  // The files are removed when the process exits.
  void stopSignal().arrival.then(() => {
    process.stderr.write('Interrupted: nothing was made.\n');
    process.exit(exitCodes.interrupted);
  });
  const created = await createProject({
    ...choices,
    database,
    dependency: ownDependency(choices.folder),
  });
  process.stderr.write(welcome(choices, created));
  if (created.token !== undefined) process.stdout.write(`${created.token}\n`);
  return exitCodes.done;
}

/** Commander's error would repeat the URL, with its password. */
function databaseChoice(text: string): DatabaseChoice {
  const read = readDatabaseChoice(text);
  if (!read.ok) throw new StartError([`--database: ${read.problem}`], exitCodes.usage);
  return read.choice;
}

function withDefaults(folder: string | undefined, { template, profile }: InitOptions): Choices {
  if (folder === undefined)
    throw new StartError([`Name the folder of the new project: ${lecternCommand('init site --template blog')}`], exitCodes.usage);
  return { folder, template: template ?? defaults.template, profile: profile ?? defaults.profile };
}

/** Undefined when a question was cancelled. */
async function ask(namedFolder: string | undefined, options: InitOptions): Promise<Choices | undefined> {
  const { isCancel, select, text } = await import('@clack/prompts');
  const output = process.stderr;
  const folder =
    namedFolder ??
    (await text({
      message: 'Which folder is the project in?',
      placeholder: 'site',
      defaultValue: 'site',
      validate: (value) => targetProblem(value === undefined || value === '' ? 'site' : value),
      output,
    }));
  if (isCancel(folder)) return undefined;
  const template =
    options.template ??
    (await select<TemplateName>({
      message: 'Which content types does it begin with?',
      initialValue: defaults.template,
      options: templateNames.map((name) => ({ value: name, label: name, hint: templates[name].summary })),
      output,
    }));
  if (isCancel(template)) return undefined;
  const profile =
    options.profile ??
    (await select<Profile>({
      message: 'Does the API answer strictly by the specification, or as Strapi does?',
      initialValue: defaults.profile,
      options: [
        { value: 'specification', label: 'specification', hint: profileSummaries.specification },
        { value: 'strapi', label: 'strapi', hint: profileSummaries.strapi },
      ],
      output,
    }));
  return isCancel(profile) ? undefined : { folder, template, profile };
}

function ownDependency(folder: string): string {
  const manifest: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return packageDependency(resolve(folder), packageFile('.'), manifest.version);
}

function welcome({ folder, template }: Choices, created: CreatedProject): string {
  const { contentTypes, components, server, obstacle, token } = created;
  const shown = relative(process.cwd(), resolve(folder)) || '.';
  const dir = /^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
  const path = contentTypes.find(({ singularName }) => singularName === 'article' || singularName === 'product') ?? contentTypes[0];
  const first = [
    ['npx lectern migrate apply', 'makes the tables'],
    ['TOKEN=$(npx lectern token create --name first --type full-access)', 'an API token that may do everything'],
  ] as const;
  const commands = [
    ...(shown === '.' ? [] : [[`cd ${dir}`, 'every command below is typed there'] as const]),
    ...(server !== undefined && obstacle?.is === 'away' ? [[server.make, 'makes the database, unless it is there'] as const] : []),
    ['npm install', 'installs Lectern in the project'],
    ...(obstacle === undefined ? [] : first),
    ['npx lectern dev', 'serves it, and reloads when a file changes'],
    ['npx lectern user create --username ada --email ada@example.org --role editor', 'adds somebody who writes at /console'],
    ['npx lectern make type event title:string!', 'adds a content type'],
    [
      `curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:1337/api/${path?.pluralName ?? 'events'}`,
      token === undefined ? 'reads, with the token' : 'reads, with the token below',
    ],
  ] as const;
  const width = Math.max(...commands.map(([command]) => command.length));
  const dotEnv = `${shown === '.' ? '' : `${shown}/`}.env`;
  const made = [counted(contentTypes.length, 'content type'), counted(components, 'component')];
  const database = obstacle === undefined ? [server === undefined ? 'a database' : 'the tables of its database'] : [];
  return `Made the project ${shown} (${template}): ${[...made, ...database].join(', ')}.
${obstacle === undefined ? '' : `\nThe database that ${dotEnv} names is not ready: ${obstacle.reason}${obstacle.is === 'used' ? '. Name an empty one there, unless the project is to use these tables' : ''}\n`}
${commands.map(([command, does]) => `  ${command.padEnd(width)}  # ${does}`).join('\n')}

Editors write at http://127.0.0.1:1337/console: docs/console.md of Lectern.
The secrets are in ${dotEnv}.${token === undefined ? '' : ' This API token may do everything, and is shown only this once:'}
`;
}
