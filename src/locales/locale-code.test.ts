import { describe, expect, it } from 'vitest';
import { checkNewLocale } from './locale-code.ts';

describe('the code of a new locale', () => {
  it.each([
    ['de', undefined, 'German (de)'],
    ['pt-BR', undefined, 'Portuguese (Brazil) (pt-BR)'],
    ['zh-Hans-CN', undefined, 'Chinese (Simplified, China) (zh-Hans-CN)'],
    ['es-419', undefined, 'Spanish (Latin America) (es-419)'],
    ['ca-ES-valencia', undefined, 'Catalan (Spain, Valencian) (ca-ES-valencia)'],
    ['en-US-POSIX', undefined, 'English (United States, Computer) (en-US-POSIX)'],
    ['de', 'Deutsch', 'Deutsch'],
    // Strapi has codes that Unicode has not.
    ['svc', 'Vincentian Creole English', 'Vincentian Creole English'],
  ])('%s with the name %s', (code, given, name) => {
    expect(checkNewLocale(code, given)).toEqual({ ok: true, name });
  });

  it.each([
    ['EN', 'Did you mean en?'],
    ['pt_br', 'Did you mean pt-BR?'],
    ['de-de', 'Did you mean de-DE?'],
    ['jp', 'Did you mean ja?'],
    ['German', 'Did you mean de?'],
    ['english', 'Did you mean en?'],
    ['xx', 'A code that is right all the same needs --name.'],
    ['de-QQ', 'A code that is right all the same needs --name.'],
    ['', 'is not the code of a locale'],
    ['*', 'is not the code of a locale'],
    ['de fr', 'is not the code of a locale'],
    ["de'; DROP TABLE i18n_locale; --", 'is not the code of a locale'],
    ['de-u-co-phonebk', 'is not the code of a locale'],
  ])('%j is refused: %s', (code, says) => {
    expect(checkNewLocale(code)).toEqual({ ok: false, problem: expect.stringContaining(says) });
  });

  it.each(['', '  ', 'x'.repeat(51)])('refuses the name %j', (name) => {
    expect(checkNewLocale('de', name)).toEqual({ ok: false, problem: 'The name of a locale has 1 to 50 characters.' });
  });

  it('refuses unknown codes of another form in spite of a name', () => {
    expect(checkNewLocale('klingon', 'Klingon').ok).toBe(false);
    expect(checkNewLocale(`tlh-${'abcde-'.repeat(20)}abcde`, 'Klingon').ok).toBe(false);
  });
});
