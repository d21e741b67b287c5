/** A provider that sends any response that a test wants, such as an honest one never would. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { listen } from './listen.ts';
import { closed } from './oidc-server.ts';

export interface DishonestProvider {
  readonly issuer: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: JWK;
  /** The response to the next requests: a status and JSON, or none. */
  token: readonly [status: number, body: object] | 'never';
  userinfo: object;
  close(): Promise<void>;
}

export async function startDishonestProvider(): Promise<DishonestProvider> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), use: 'sig', alg: 'RS256', kid: 'one' };
  const provider: DishonestProvider = {
    issuer,
    privateKey,
    publicKey: jwk,
    token: [400, {}],
    userinfo: {},
    close: () => closed(server),
  };
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // It offers what nobody may take.
    id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'],
    authorization_response_iss_parameter_supported: true,
  };
  server.on('request', ({ url = '' }, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.startsWith('/.well-known/')) answer(200, discovery);
    else if (url === '/jwks') answer(200, { keys: [jwk] });
    else if (url === '/userinfo') answer(200, provider.userinfo);
    else if (provider.token !== 'never') answer(...provider.token);
  });
  return provider;
}
