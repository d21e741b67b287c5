/** The columns of users that every reader of accounts needs. */
import type { Row } from '../dialects/dialect.ts';
import { isTrue } from '../sql/is-true.ts';

export interface AccountRow {
  readonly id: number;
  readonly documentId: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly provider: string | null;
  readonly confirmed: boolean;
  readonly blocked: boolean;
}

/** In the order in which `accountRow` reads them. */
export const accountColumns = ['id', 'document_id', 'username', 'email', 'provider', 'confirmed', 'blocked'] as const;

export function accountRow([id, documentId, username, email, provider, confirmed, blocked]: Row): AccountRow {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    id: Number(id),
    documentId: String(documentId),
    username: text(username),
    email: text(email),
    provider: text(provider),
    confirmed: isTrue(confirmed),
    blocked: isTrue(blocked),
  };
}
