/** The codes of locales, and their English names, which Node.js has from Unicode. */

/** A language, and what narrows it down: `de`, `pt-BR`, `zh-Hans-CN`, `ca-ES-valencia`. */
const shape = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?(?:-(?:[A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))*$/;

/** Strapi's panel accepts no longer names. */
const maxNameLength = 50;
const maxCodeLength = 35;

const hasShape = (code: string) => code.length <= maxCodeLength && shape.test(code) && canonicalCode(code) !== undefined;

export type CheckedLocale = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly problem: string };

const namesOf = (type: 'language' | 'region') =>
  new Intl.DisplayNames('en', { type, fallback: 'none', ...(type === 'language' ? { languageDisplay: 'standard' as const } : {}) });

/** Checks the code of a new locale. Returns its name: `name`, or as Strapi names it:
 *  `German (de)`. An unknown code may be right, so it needs a name. */
export function checkNewLocale(code: string, name?: string): CheckedLocale {
  if (name !== undefined && (name.trim() === '' || name.length > maxNameLength))
    return { ok: false, problem: `The name of a locale has 1 to ${maxNameLength} characters.` };
  const isCode = hasShape(code);
  const known = isCode ? namesOf('language').of(code) : undefined;
  if (known !== undefined) return { ok: true, name: name ?? `${known} (${code})` };
  if (isCode && name !== undefined) return { ok: true, name };
  const meant = suggested(code);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const remedy = isCode ? ' A code that is right all the same needs --name.' : '';
  return {
    ok: false,
    problem: `${JSON.stringify(code)} is not the code of a locale. A code is a language, such as de, or a language with a script or region, such as pt-BR or zh-Hans.${hint}${remedy}`,
  };
}

/** `pt_br` → `pt-BR`, `jp` (a country) → `ja`, `German` → `de`. */
function suggested(text: string): string | undefined {
  const languages = namesOf('language');
  const isKnown = (code: string) => hasShape(code) && languages.of(code) !== undefined;
  const canonical = canonicalCode(text.replaceAll('_', '-'));
  if (canonical !== undefined && isKnown(canonical)) return canonical;
  const region = /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined;
  if (region !== undefined && namesOf('region').of(region) !== undefined) return new Intl.Locale(`und-${region}`).maximize().language;
  const wanted = text.trim().toLowerCase();
  return wanted.length < 4 ? undefined : twoLetterCodes().find((code) => languages.of(code)?.toLowerCase() === wanted);
}

function canonicalCode(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const twoLetterCodes = () => letters.flatMap((first) => letters.map((second) => first + second));
