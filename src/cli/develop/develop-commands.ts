/** The command lines for making and changing a project. */
import { type Command, Option } from 'commander';
import { templateNames } from '../../new-project/templates.ts';
import { type CommandAction, portNumber, projectCommand } from '../command-action.ts';

export function developCommands(program: Command, action: CommandAction): void {
  program
    .command('init')
    .description('create a project: example types, secrets, a database and an API token')
    .argument('[folder]', 'a new or empty folder')
    .addOption(new Option('--template <name>', 'the content types to begin with').choices(templateNames))
    .addOption(new Option('--profile <name>', 'the rules that the API follows').choices(['specification', 'strapi']))
    .option('--database <name>', 'sqlite, postgres, mysql, or the URL of a database; sqlite if not given')
    .option('--yes', 'ask no questions: blog and specification unless given')
    .action(action(async () => (await import('./init.ts')).init));

  projectCommand(program, 'dev', 'serve a project, and reload it when its files change')
    .option('--port <number>', 'port to listen on; 0 takes any free port', portNumber)
    .option('--host <address>', 'IP address or host name to listen on')
    .option('--types <file>', 'also write the TypeScript types of the project, at the start and after each change')
    .action(action(async () => (await import('./dev.ts')).dev));

  projectCommand(program, 'types', 'print or write the TypeScript types of a project: what responses have, what bodies take')
    .option('--out <file>', 'the file to write; it is printed if not given')
    .option('--check', 'write nothing, and end with 1 if the file is out of date')
    .action(action(async () => (await import('./types-command.ts')).types));

  makeCommands(program, action);
}

const attributeHelp = `
Attributes are written name:type, with ! for a required one and values in parentheses, or after a second colon:
  title:string!  summary:text(400)  slug:uid(title)  price:decimal(10,2)  kind:enumeration(a,b)  cover:media(images)
  gallery:media(images,multiple)  seo:component(shared.seo)  links:component(shared.link,repeatable)
  sections:dynamiczone(shared.quote,shared.image)  category:manyToOne(category)  parent:manyToOne(page,children)
  related:manyWay(article)  body:blocks  views:integer  (and every other type of docs/content-types.md)
Quote words with parentheses, which shells treat in a way of their own: 'slug:uid(title)' or slug:uid:title.`;

function makeCommands(program: Command, action: CommandAction): void {
  const make = program.command('make').description('write schema files, or the beginning of a hook, an endpoint or a webhook');
  projectCommand(make, 'type', 'write the schema file of a new content type, and the other sides of its relations')
    .argument('<name>', 'singular name in kebab-case, such as article')
    .argument('[attribute...]', 'attributes, such as title:string!')
    .option('--plural <name>', 'plural name in kebab-case; by the rules of English if not given')
    .option('--single', 'a single type: one document, such as a home page')
    .option('--draft-and-publish', 'documents have a draft and a published version')
    .option('--localized', 'documents have a version for each locale')
    .addHelpText('after', attributeHelp)
    .action(action(async () => (await import('./make.ts')).makeType));
  projectCommand(make, 'component', 'write the schema file of a new component')
    .argument('<category.name>', 'such as shared.seo')
    .argument('[attribute...]', 'attributes, such as title:string!')
    .addHelpText('after', attributeHelp)
    .action(action(async () => (await import('./make.ts')).makeComponent));
  projectCommand(make, 'hook', 'write the beginning of a file with hooks of a content type')
    .argument('<type>', 'its uid, or its singular or plural name, such as article')
    .action(action(async () => (await import('./make-code.ts')).makeHook));
  projectCommand(make, 'endpoint', 'write the beginning of a file with an endpoint')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'below the prefix of the API, with :name for parameters, such as /orders/:id/refund')
    .action(action(async () => (await import('./make-code.ts')).makeEndpoint));
  projectCommand(make, 'webhook', 'add a webhook to lectern.config.json, with a signing secret in .env')
    .argument('<name>', 'letters, digits, - and _, such as site')
    .argument('<url>', 'where messages are sent by POST')
    .option('--events <list>', 'such as publish,unpublish,delete; what changes what the public sees if not given')
    .action(action(async () => (await import('./make-webhook.ts')).makeWebhook));
}
