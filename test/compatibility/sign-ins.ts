/** Users of the recordings, each signed in once a server: Strapi allows ten logins a minute. */
import type { RunningServer } from '../support/server.ts';

export type Users = Readonly<Record<string, { readonly identifier?: string; readonly password: string }>>;

/** Answers the JWT of a user. */
export function signIns(server: Pick<RunningServer, 'send'>, users: Users): (who: string) => Promise<string> {
  const signedIn = new Map<string, Promise<string>>();
  const signIn = async (who: string): Promise<string> => {
    const { identifier, password } = users[who] ?? {};
    if (identifier === undefined) throw new Error(`no credentials for ${who}`);
    const response = await server.send({ method: 'POST', path: '/api/auth/local', body: { identifier, password } });
    const body = response.json();
    if (typeof body === 'object' && body !== null && 'jwt' in body && typeof body.jwt === 'string') return body.jwt;
    throw new Error(`login of ${who}: status ${response.status}: ${response.text.slice(0, 200)}`);
  };
  return (who) => {
    const jwt = signedIn.get(who) ?? signIn(who);
    signedIn.set(who, jwt);
    return jwt;
  };
}
