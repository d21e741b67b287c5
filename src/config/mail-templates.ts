/** The setting `mail.templates`: the texts of the mails about accounts. */
import { isEmail } from '../model/attributes/email.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { orMeant } from '../text/nearest.ts';
import { placeholdersOf } from '../text/placeholders.ts';
import type { JsonShape } from './setting.ts';

/** Texts that are left out come from the database, or are Lectern's own. */
export interface MailTemplate {
  readonly subject?: string;
  /** HTML. */
  readonly message?: string;
  readonly replyTo?: string;
}

export type MailTemplates = { readonly [Name in keyof typeof needed]?: MailTemplate };

/** The placeholder that the link of each mail needs. */
const needed = { resetPassword: 'TOKEN', emailConfirmation: 'CODE' } as const;
const common = ['URL', 'SERVER_URL', 'USER.id', 'USER.documentId', 'USER.username', 'USER.email'];
const keys = ['subject', 'message', 'replyTo'];

export const mailTemplates: JsonShape<MailTemplates> = {
  shape: 'an object (JSON in a variable) with `resetPassword` and `emailConfirmation`, each with `subject`, `message` (HTML) and `replyTo`',
  fallback: {},
  read(value, problems) {
    if (!isObject(value)) return undefined;
    const names = Object.keys(needed) as (keyof typeof needed)[];
    problems.push(...unknownKeys(value, names, ''));
    for (const name of names) if (value[name] !== undefined) problems.push(...templateProblems(name, value[name], needed[name]));
    return value as MailTemplates;
  },
};

function templateProblems(name: string, template: unknown, link: string): readonly string[] {
  if (!isObject(template)) return [`${name} must be an object`];
  const { subject, message, replyTo } = template;
  const problems = [...unknownKeys(template, keys, `${name}.`)];
  for (const [key, text] of Object.entries({ subject, message })) {
    if (text === undefined) continue;
    if (typeof text !== 'string' || text === '') problems.push(`${name}.${key} must be text`);
    else problems.push(...unknownPlaceholders(`${name}.${key}`, text, [...common, link]));
  }
  if (typeof message === 'string' && !placeholdersOf(message).includes(link))
    problems.push(`${name}.message lacks <%= ${link} %>, which its link needs`);
  if (replyTo !== undefined && !(typeof replyTo === 'string' && isEmail(replyTo)))
    problems.push(`${name}.replyTo must be an e-mail address`);
  return problems;
}

const unknownKeys = (object: JsonObject, known: readonly string[], prefix: string): readonly string[] =>
  Object.keys(object).flatMap((key) =>
    known.includes(key) ? [] : [`${prefix}${key} is an unknown key${orMeant(key, known) || `; the known ones are ${known.join(', ')}`}`],
  );

const unknownPlaceholders = (path: string, text: string, known: readonly string[]): readonly string[] =>
  placeholdersOf(text).flatMap((name) =>
    known.includes(name)
      ? []
      : [`${path} has the unknown placeholder ${name}${orMeant(name, known) || `; the known ones are ${known.join(', ')}`}`],
  );
