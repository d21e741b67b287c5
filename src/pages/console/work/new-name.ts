/** Tells things apart that nobody has given a name: eight letters and digits. `randomUUID` needs TLS. */
export const newName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
