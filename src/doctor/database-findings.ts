/** What the database shows: whether Lectern can serve it, and which features of Strapi it uses. */
import type { Preparation } from '../migrations/prepare-database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { counted } from '../text/counted.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { type DoctorFinding, finding } from './findings.ts';
import type { StrapiRows } from './strapi-rows-store.ts';

export function databaseFindings(client: string, state: Preparation): readonly DoctorFinding[] {
  const common = { kind: 'database' as const, subject: client };
  if (state.ok) return [finding({ ...common, group: 'served', what: `nothing is missing; ${madeBy[state.origin]}` })];
  if (state.startRepairs) return [finding({ ...common, group: 'served', what: 'the start adds what is missing' })];
  return state.problems.map((problem) => finding({ ...common, group: 'decide', what: problem, treatment: 'unknown' }));
}

const madeBy = {
  strapi: 'its tables are those of Strapi, and are not altered',
  lectern: 'its tables are those of Lectern',
  nobody: 'it is empty',
  foreign: '',
};

export function rowFindings(
  { webhooks, sendsWebhooks, providers, workflows, scheduledReleases, empty }: StrapiRows,
  model: ContentModel,
  upstream: boolean,
): readonly DoctorFinding[] {
  const types = [...model.contentTypes.values()].filter((type) => type.routed);
  const emptyTypes = types.filter(({ table }) => empty.has(table));
  const found: DoctorFinding[] = [
    finding({
      group: 'served',
      kind: 'content',
      subject: 'content',
      what: `${counted(types.length, 'content type')}, ${emptyTypes.length === 0 ? 'all with entries' : `${emptyTypes.length} of them without entries`}`,
    }),
  ];
  const add = (kind: DoctorFinding['kind'], subject: string, what: string, isOpen = true) =>
    found.push(finding({ group: 'notServed', kind, subject, what, isOpen }));
  const names = webhooks.join(', ');
  if (webhooks.length > 0 && sendsWebhooks)
    found.push(
      finding({ group: 'honoured', kind: 'webhook', subject: 'webhooks', what: `${names}: sent for what is written through Lectern, too` }),
    );
  else if (webhooks.length > 0)
    add(
      'webhook',
      'webhooks',
      `${names}: sent for what is written through Lectern after \`${lecternCommand('migrate apply')}\`, which adds tables`,
    );
  for (const name of providers) {
    add(
      'provider',
      name,
      upstream
        ? 'signing in by this provider is forwarded to Strapi'
        : 'signing in by this provider of the panel responds with 501; providers of OpenID Connect are the setting auth.providers',
      !upstream,
    );
  }
  if (workflows > 0) add('panel', 'review workflows', 'writes through Lectern do not check stages');
  if (scheduledReleases > 0)
    add(
      'panel',
      'scheduled releases',
      `${counted(scheduledReleases, 'release')}: published at their time as long as Strapi runs`,
      !upstream,
    );
  return found;
}
