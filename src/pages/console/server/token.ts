import { signal } from '@preact/signals';

/** The access token, nowhere but in memory; empty if nobody has signed in. */
export const token = signal('');
