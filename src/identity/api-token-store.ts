/** API tokens as Strapi's admin panel stores them, which shows and edits them too. Tokens of its
 *  own API (`kind` is `admin`) are ignored. Throws `api-token.*`. */
import type { Config } from '../config/config.ts';
import type { Connection, Database, LiveTable } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { writeRetried } from '../dialects/retry-conflicts.ts';
import { ApiError } from '../errors/api-error.ts';
import { mcpWrite } from '../rights/rights.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import { type Cell, Rows } from '../sql/rows.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { isoDate } from '../text/iso-date.ts';
import { apiTokenHash, encryptedApiToken, newApiTokenSecret } from './api-token-secret.ts';
import type { NewApiToken } from './new-api-token.ts';

export interface ListedApiToken {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** The granted actions of a custom token, and `lectern::mcp.write` of a full-access token. */
  readonly actions: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string | null;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

/** `secret` is what callers send. It is not stored, so it is shown only here. */
export interface IssuedApiToken {
  readonly token: ListedApiToken;
  readonly secret: string;
}

export type ApiTokens = ReturnType<typeof createApiTokens>;

const tokens = 'strapi_api_tokens';
const permissions = 'strapi_api_token_permissions';
const links = 'strapi_api_token_permissions_token_lnk';
const lock = 'api tokens';

const linkColumns: readonly TypedColumn[] = [
  { name: 'api_token_permission_id', type: 'reference' },
  { name: 'api_token_id', type: 'reference' },
  { name: 'api_token_permission_ord', type: 'order' },
];

/** `live` are the tables of the database: earlier versions of Strapi 5 lack columns. */
export function createApiTokens(database: Database, live: readonly LiveTable[], secrets: Config['secrets']) {
  const { dialect } = database;
  const columns = live.find(({ name }) => name === tokens)?.columns;
  const has = (column: string) => columns?.has(column) === true;
  const hasTables = [tokens, permissions, links].every((each) => live.some(({ name }) => name === each));
  const contentApi = has('kind') ? sql`(t.kind = 'content-api' OR t.kind IS NULL)` : sql`1 = 1`;
  const times = ['created_at', 'last_used_at', 'expires_at'].map((name) => sql.read(sql.id('t', name), 'datetime'));
  const selected = sql.join([sql`t.id, t.name, t.description, t.type`, ...times]);
  const allTokens = sql`SELECT ${selected} FROM ${sql.id(tokens)} t WHERE ${contentApi} ORDER BY t.id`;
  const granted = sql`${sql.id(links)} l JOIN ${sql.id(permissions)} p ON p.id = l.api_token_permission_id`;
  const allActions = sql`SELECT l.api_token_id, p.action, p.id FROM ${granted} ORDER BY l.api_token_permission_ord, p.id`;

  const requireTables = () => {
    if (!hasTables) throw ApiError.of('api-token.no-tables');
  };

  async function all(connection: Connection): Promise<ListedApiToken[]> {
    const rows = await run(connection, allTokens);
    const actions = await run(connection, allActions);
    return rows.map((row) => listed(row, actions));
  }

  /** By its name, or else by its row id. A reference to two tokens is refused. */
  async function find(reference: string | number, rows: Rows): Promise<ListedApiToken> {
    const found = await all(rows.connection);
    const named = found.find(({ name }) => name === reference);
    const numbered = found.find(({ id }) => String(id) === String(reference));
    if (named !== undefined && numbered !== undefined && named !== numbered)
      throw ApiError.of('api-token.ambiguous', { reference: String(reference) });
    const token = named ?? numbered;
    if (token === undefined) throw ApiError.of('api-token.not-found');
    return token;
  }

  async function writing<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    requireTables();
    return writeRetried(database, async (connection) => {
      const rows = new Rows(connection, dialect);
      rows.lock([lock]);
      const result = await work(rows);
      rows.inserts.flush();
      return result;
    });
  }

  function newSecret(): { readonly secret: string; readonly cells: readonly Cell[] } {
    const { apiTokenSalt, encryptionKey } = secrets;
    if (apiTokenSalt === undefined) throw ApiError.of('api-token.no-salt');
    const secret = newApiTokenSecret();
    const encrypted = encryptionKey === undefined ? null : encryptedApiToken(secret, encryptionKey);
    return {
      secret,
      cells: [
        { name: 'access_key', type: 'string', value: apiTokenHash(secret, apiTokenSalt) },
        ...(has('encrypted_key') ? [{ name: 'encrypted_key', type: 'text', value: encrypted } as const] : []),
      ],
    };
  }

  return {
    /** In the order of their creation. */
    async list(): Promise<readonly ListedApiToken[]> {
      requireTables();
      return database.read(all);
    },
    async create(token: NewApiToken): Promise<IssuedApiToken> {
      const { secret, cells } = newSecret();
      return writing(async (rows) => {
        await requireFreeName(token.name, rows);
        const now = Date.now();
        const row: readonly Cell[] = [
          { name: 'name', type: 'string', value: token.name },
          { name: 'description', type: 'string', value: token.description },
          ...(has('kind') ? [{ name: 'kind', type: 'enumeration', value: 'content-api' } as const] : []),
          { name: 'type', type: 'enumeration', value: token.type },
          ...cells,
          { name: 'expires_at', type: 'datetime', value: token.expiresAt },
          { name: 'lifespan', type: 'biginteger', value: token.expiresAt === null ? null : token.expiresAt - now },
        ];
        const [id = 0] = await rows.insertDocuments(tokens, [row], now);
        await permit(id, token.actions, rows);
        const made = { ...token, id, createdAt: isoDate(now), lastUsedAt: null, expiresAt: isoDate(token.expiresAt) };
        return { token: made, secret };
      });
    },
    /** Replaces the secret of the token; everything else stays, its expiry included. */
    async rotate(reference: string | number): Promise<IssuedApiToken> {
      const { secret, cells } = newSecret();
      return writing(async (rows) => {
        const token = await find(reference, rows);
        // The new secret would be expired as well.
        if (token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) throw ApiError.of('api-token.expired', token);
        rows.update(tokens, token.id, [...cells, { name: 'updated_at', type: 'datetime', value: Date.now() }]);
        return { token, secret };
      });
    },
    revoke(reference: string | number): Promise<ListedApiToken> {
      return writing(async (rows) => {
        const token = await find(reference, rows);
        const granted = (await rows.run(allActions)).filter(([tokenId]) => Number(tokenId) === token.id).map(([, , id]) => Number(id));
        rows.delete(links, 'api_token_id', [token.id]);
        rows.delete(permissions, 'id', granted);
        rows.delete(tokens, 'id', [token.id]);
        return token;
      });
    },
  };

  async function requireFreeName(name: string, rows: Rows): Promise<void> {
    const found = await rows.run(sql`SELECT 1 FROM ${sql.id(tokens)} WHERE name = ${name}`);
    if (found.length > 0) throw ApiError.of('api-token.name-taken', { name });
  }

  async function permit(tokenId: number, actions: readonly string[], rows: Rows): Promise<void> {
    const ids = await rows.insertDocuments(
      permissions,
      actions.map((action) => [{ name: 'action', type: 'string', value: action }]),
    );
    for (const [index, id] of ids.entries()) rows.inserts.later(links, linkColumns, [id, tokenId, index + 1]);
  }
}

function listed([id, name, description, type, createdAt, lastUsedAt, expiresAt]: Row, actions: readonly Row[]): ListedApiToken {
  return {
    id: Number(id),
    name: String(name ?? ''),
    description: String(description ?? ''),
    type: String(type ?? ''),
    actions: actions
      .filter(
        ([tokenId, action]) => Number(tokenId) === Number(id) && (type === 'custom' || (type === 'full-access' && action === mcpWrite)),
      )
      .map(([, action]) => String(action)),
    createdAt: isoDate(createdAt),
    lastUsedAt: isoDate(lastUsedAt),
    expiresAt: isoDate(expiresAt),
  };
}
