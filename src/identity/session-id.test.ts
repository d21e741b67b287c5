import { describe, expect, it } from 'vitest';
import { loginOf, newSessionId, nextSessionId } from './session-id.ts';

describe('ids of sessions', () => {
  it('contain their login, before and after refreshes', () => {
    const first = newSessionId();
    const later = nextSessionId(nextSessionId(first, 'secret'), 'secret');
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(later).not.toBe(first);
    expect(nextSessionId(first, 'secret')).toBe(nextSessionId(first, 'secret'));
    expect(nextSessionId(first, 'secret')).not.toBe(nextSessionId(first, 'another secret'));
    expect(loginOf(later)).toBe(loginOf(first));
    expect(loginOf(first)).toMatch(/^s[0-9a-z]{23}$/);
    expect(loginOf(newSessionId())).not.toBe(loginOf(first));
  });

  it('of Strapi contain none, and begin a login of ours', () => {
    const strapis = '0123456789abcdef0123456789abcdef';
    for (const id of [strapis, '', 'x', strapis.toUpperCase(), `${newSessionId()}0`]) expect(loginOf(id)).toBeUndefined();
    expect(loginOf(nextSessionId(strapis, 'secret'))).toBeDefined();
  });
});
