/** Which tokens stay valid, in this project's modes. */
import type { Config } from '../config/config.ts';
import { counted } from '../text/counted.ts';
import { type DoctorFinding, finding } from './findings.ts';

export function accessFindings(
  { secrets, auth }: Pick<Config, 'secrets' | 'auth'>,
  apiTokens: Readonly<Record<string, number>>,
): readonly DoctorFinding[] {
  const tokens = Object.values(apiTokens).reduce((sum, each) => sum + each, 0);
  const about = (subject: string, secret: string | undefined, valid: string, missing: string) =>
    finding(
      secret === undefined
        ? { kind: 'access', group: 'decide', subject, what: `${missing}. Copy it from Strapi`, isSecurity: true }
        : { kind: 'access', group: 'served', subject, what: valid },
    );
  return [
    about(
      'API tokens',
      secrets.apiTokenSalt,
      `stay valid until they expire, with their rights, as long as API_TOKEN_SALT is Strapi's${tokens === 0 ? '' : ` (${counted(tokens, 'token')})`}`,
      'API_TOKEN_SALT is missing: no API token is valid',
    ),
    about(
      'tokens of users',
      secrets.jwtSecret,
      sentences[auth.jwtManagement],
      'JWT_SECRET is missing: nobody can sign in, and no token of a user is valid',
    ),
  ];
}

const sentences: Readonly<Record<Config['auth']['jwtManagement'], string>> = {
  'legacy-support':
    "mode legacy-support: users' JSON Web Tokens stay valid until they expire, as long as JWT_SECRET is Strapi's; tokens of the mode refresh do not",
  refresh:
    "mode refresh: access tokens and refresh tokens stay valid as long as JWT_SECRET and the table strapi_sessions are Strapi's; tokens of the mode legacy-support do not",
};
