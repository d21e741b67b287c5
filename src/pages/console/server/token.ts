import { signal } from '@preact/signals';

/** The access token, nowhere but in memory; empty if nobody has signed in. */
export const token = signal('');

/** The id of the user whose work the page shows, once it is known. */
export const owner = signal<number | undefined>(undefined);

/** Whether an access token is that of the page's user. Its signature is the server's business. */
export function isOwners(jwt: string): boolean {
  if (owner.value === undefined) return true;
  try {
    const payload = JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return String(payload.userId ?? payload.id) === String(owner.value);
  } catch {
    return false;
  }
}
