/** `lectern make webhook`: adds a webhook to the configuration, with a secret in `.env`. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';
import { configFileName } from '../../config/read-settings.ts';
import { readWebhook } from '../../config/webhooks.ts';
import { StartError } from '../../errors/start-error.ts';
import { newSecret } from '../../events/webhooks/sign-webhook.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';

interface MakeWebhookOptions extends ProjectOptions {
  /** Separated by commas. */
  readonly events?: string;
}

export async function makeWebhook(name: string, url: string, options: MakeWebhookOptions): Promise<number> {
  const problems: string[] = [];
  const { events } = readWebhook(
    { name, url, events: options.events?.split(',').map((each) => each.trim()) ?? ['publish'] },
    name,
    problems,
  );
  if (problems.length > 0) throw new StartError(problems, exitCodes.usage);
  const { config } = loadProject(options);
  if (config.webhooks.some((each) => each.name === name)) throw new StartError([`There is a webhook ${name} in ${configFileName} already`]);
  if (config.events.keep === 0) throw new StartError(['events.keep is 0, so there are no events that a webhook could send']);
  const wanted =
    options.events === undefined ? usualEvents(await loadProjectModel(config)) : events.map((each) => each.replace('entry.', ''));
  const variable = `${/^\d/.test(name) ? 'WEBHOOK_' : ''}${name.toUpperCase().replaceAll('-', '_')}_WEBHOOK_SECRET`;
  // The variable comes first: a start without it would refuse the configuration.
  const isNew = addVariable(join(config.dir, '.env'), variable);
  addWebhook(join(config.dir, configFileName), { name, url, events: wanted, secret: `\${${variable}}` });
  const { hostname } = new URL(url);
  const isNear = hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  process.stdout.write(
    [
      `Added ${name} to ${configFileName}, for the events ${wanted.join(', ')}`,
      isNew
        ? `Added ${variable} to .env: a signing secret, which the receiver needs as well`
        : `${variable} in .env is its signing secret, as before`,
      `The server sends to it after the next start, and \`lectern dev\` at once. \`${lecternCommand(`webhook test ${name}`, options.dir)}\` sends a test message; docs/events.md describes the messages.`,
      ...(wanted.includes('update') && wanted.includes('publish')
        ? ['Some types have no drafts, so the webhook gets every update, also those of drafts; the key `types` limits it to some types.']
        : []),
      ...(isNear ? ['A receiver on this machine or in a private network also needs the setting events.allowPrivate.'] : []),
      '',
    ].join('\n'),
  );
  return exitCodes.done;
}

/** The events that change what the public sees. */
function usualEvents({ contentTypes }: ContentModel): readonly string[] {
  const types = [...contentTypes.values()].filter(({ routed }) => routed);
  const hasDrafts = types.length === 0 || types.some(({ draftAndPublish }) => draftAndPublish);
  const hasOthers = types.some(({ draftAndPublish }) => !draftAndPublish);
  return [...(hasOthers ? ['create', 'update'] : []), ...(hasDrafts ? ['publish', 'unpublish'] : []), 'delete'];
}

/** Returns false if the file has the variable already. */
function addVariable(path: string, variable: string): boolean {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (parseEnv(before)[variable] !== undefined) return false;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  appendFileSync(path, `${separator}${variable}=${newSecret()}\n`, { mode: 0o600 });
  return true;
}

function addWebhook(path: string, webhook: object): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n';
  const indent = /\n([ \t]+)"/.exec(before)?.[1] ?? '  ';
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol: before.includes('\r\n') ? '\r\n' : '\n' };
  const isThere = Array.isArray((JSON.parse(before.replace('\ufeff', '')) as { readonly webhooks?: unknown }).webhooks);
  const edits = isThere
    ? modify(before, ['webhooks', -1], webhook, { formattingOptions, isArrayInsertion: true })
    : modify(before, ['webhooks'], [webhook], { formattingOptions });
  writeFileSync(path, applyEdits(before, edits));
}
