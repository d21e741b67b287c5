/** Types for the parts of oidc-provider that the tests use: it is installed for some runs only, and its own types with it. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Configuration {
    readonly clients: readonly {
      readonly client_id: string;
      readonly client_secret: string;
      readonly redirect_uris: readonly string[];
      readonly response_types: readonly string[];
      readonly grant_types: readonly string[];
    }[];
    readonly jwks: { readonly keys: readonly object[] };
    readonly cookies: { readonly keys: readonly string[] };
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly pkce: { required(): boolean };
    /** Seconds. */
    readonly ttl: Readonly<Record<string, number>>;
    findAccount(context: unknown, id: string): { readonly accountId: string; claims(): { readonly sub: string } };
  }

  class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
  }

  export { type Configuration, Provider };
}
