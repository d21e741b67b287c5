/** `auth` and `mail`: sessions, accounts, and the mails about them. */
import { mailTemplates } from '../mail-templates.ts';
import { providers } from '../providers.ts';
import { boolean, choice, integer, json, list, optionalBoolean, optionalInteger, optionalText, secret } from '../setting.ts';

const pageUrl = {
  shape: 'the URL of a page, like https://www.example.org/reset-password',
  holds: (value: string) => /^https?:\/\//.test(value) && URL.canParse(value),
};

const attributeName = { shape: 'names of attributes', holds: (value: string) => /^[A-Za-z_]\w*$/.test(value) };

/** What an administrator decides about a user, and what has an endpoint with checks of its own. */
const notOwn: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'email', 'password', 'provider', 'role', 'blocked', 'confirmed'],
  ...['resetPasswordToken', 'confirmationToken'],
]);
const ownField = {
  shape: `${attributeName.shape} other than ${[...notOwn].join(', ')}`,
  holds: (value: string) => attributeName.holds(value) && !notOwn.has(value),
};

export const authSettings = {
  jwtManagement: choice<'refresh' | 'legacy-support'>({ refresh: 'refresh', 'legacy-support': 'legacy-support' }, 'refresh', {
    description: 'Short access tokens with refresh tokens, or one long-lived token as in earlier versions of Strapi',
  }),
  tokenLifespan: integer(2_592_000, [1, 3650 * 86_400], {
    description: 'Seconds for which the token is valid, with `auth.jwtManagement: legacy-support`',
  }),
  httpOnly: boolean(true, { description: 'Keep the refresh token in an `HttpOnly` cookie' }),
  cookieSameSite: choice({ lax: 'lax', strict: 'strict', none: 'none' }, 'lax', {
    description:
      '`SameSite` of that cookie. `none`: front ends on another site can refresh as well; needs `cors.credentials` and https ([front-ends.md](front-ends.md#cookies-and-sites))',
  }),
  cookieMaxAge: optionalInteger([1, 400 * 86_400], {
    description: 'Seconds for which browsers keep that cookie; without this setting, until they are closed',
  }),
  accessTokenLifespan: integer(600, [1, 365 * 86_400], {
    description: 'Seconds for which an access token (`jwt`) is valid, with `auth.jwtManagement: refresh`',
  }),
  idleRefreshTokenLifespan: integer(1_209_600, [1, 3650 * 86_400], { description: 'Seconds within which a session must be refreshed' }),
  maxRefreshTokenLifespan: integer(2_592_000, [1, 3650 * 86_400], {
    description: 'Seconds after the login when a session ends, however often it was refreshed',
  }),
  defaultRole: optionalText({
    description: 'Type of the role of newly registered users ([access.md](access.md#registering))',
    fallbackText: "the database's, else `authenticated`",
  }),
  allowRegister: optionalBoolean({ description: 'Whether anybody may register', fallbackText: "the database's, else `true`" }),
  registerFields: list([], {
    description:
      'Attributes of the user type that the body of a registration may set besides `username`, `email` and `password` ([access.md](access.md#registering))',
    rule: attributeName,
  }),
  ownFields: list([], {
    description:
      'Attributes that signed-in users may change in their own profile, by `PUT /api/users/me`; the right is `user.me` ([access.md](access.md#ones-own-profile))',
    rule: ownField,
  }),
  attempts: integer(10, [1, 100_000], {
    description: 'Calls that one caller may make to each endpoint that checks passwords or sends mails, within `auth.attemptsWindow`',
  }),
  attemptsWindow: integer(60, [1, 86_400], { description: 'Seconds, from the first call on' }),
  uniqueEmail: optionalBoolean({
    description: 'Whether two users may not have the same e-mail address, also where they sign in with different providers',
    fallbackText: "the database's, else `true`",
  }),
  emailConfirmation: optionalBoolean({
    description: 'Whether users confirm their e-mail address, by a link in a mail, before they can sign in',
    fallbackText: "the database's, else `false`",
  }),
  resetPasswordPage: optionalText({
    description: 'Page of the front end that the mail about a forgotten password links to; it gets `?code=`',
    fallbackText: "the database's, else that of the console",
    rule: pageUrl,
  }),
  emailConfirmationPage: optionalText({
    description: 'Page that users are sent to when they have confirmed their e-mail address',
    fallbackText: "the database's, else `/`",
    rule: pageUrl,
  }),
  providers: json(providers, {
    description:
      'OpenID Connect providers that users may sign in with; needs `url` and `JWT_SECRET` ([access.md](access.md#signing-in-with-another-provider))',
  }),
};

export const mailSettings = {
  host: optionalText({ description: 'SMTP server that sends mails (forgotten passwords, confirmations)', strapiVariable: 'SMTP_HOST' }),
  port: integer(587, [1, 65535], { description: 'Port of the SMTP server', strapiVariable: 'SMTP_PORT' }),
  secure: boolean(false, {
    description: 'TLS from the first byte, as on port 465. Otherwise STARTTLS, which is required as soon as there is a password',
    strapiVariable: 'SMTP_SECURE',
  }),
  username: optionalText({ description: 'User at the SMTP server', strapiVariable: 'SMTP_USERNAME' }),
  password: secret('SMTP_PASSWORD', { description: 'Password at the SMTP server' }),
  from: optionalText({
    description: 'Sender of mails, instead of the sender that the template in the database names',
    strapiVariable: 'SMTP_FROM',
    fallbackText: "the template's",
  }),
  templates: json(mailTemplates, {
    description: 'Texts of the mails about forgotten passwords and e-mail addresses ([access.md](access.md#mails))',
    fallbackText: "the database's, else short English texts",
  }),
  withoutServer: choice<'log' | 'refuse'>({ log: 'log', refuse: 'refuse' }, (facts) => (facts.production ? 'refuse' : 'log'), {
    description: 'Without `mail.host`: write mails to the log, or refuse requests that would send one (503)',
    fallbackText: '`"refuse"` with `NODE_ENV=production`, otherwise `"log"`',
  }),
};
