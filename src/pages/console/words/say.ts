/** The texts of the page, in the language of the reader: `words/LANGUAGE/AREA.json`. */
import { computed, signal } from '@preact/signals';
import { words as english } from './english.ts';

type Key = keyof typeof english;
/** A text that depends on a number has a key for each plural form; it is asked for without it. */
export type WordKey = Key extends infer Each ? (Each extends `${infer Name}_${'one' | 'other'}` ? Name : Each) : never;
type Values = Readonly<Record<string, string | number>>;

export const languages = { en: 'English', de: 'Deutsch' } as const;
type Language = keyof typeof languages;
const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

/** Other languages are loaded when they are used. */
const others = {
  de: async () => (await import('./german.ts')).words,
} as const;

const key = 'lectern-console-language';
export const language = signal<Language>('en');
/** How dates and numbers are written: as in the reader's country where the browser names it. */
export const region = computed(() => navigator.languages.find((each) => each.startsWith(language.value)) ?? language.value);
const words = signal<Readonly<Record<string, string>>>(english);
let plurals = new Intl.PluralRules('en');

/** Uses the language that the reader chose, else the first one of the browser that there is. */
export async function loadLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages.map((each) => each.slice(0, 2))];
  await use(wanted.find(isLanguage) ?? 'en');
}

export async function chooseLanguage(name: string): Promise<void> {
  if (!isLanguage(name)) return;
  localStorage.setItem(key, name);
  await use(name);
}

async function use(name: Language): Promise<void> {
  words.value = name === 'en' ? english : { ...english, ...(await others[name]()) };
  plurals = new Intl.PluralRules(name);
  language.value = name;
  globalThis.document.documentElement.lang = name;
}

/** `say('lists.entries', { count: 3 })` → `3 entries`. A number is written as the language does. */
export function say(name: WordKey, values: Values = {}): string {
  const { count } = values;
  const form = typeof count === 'number' ? `${name}_${plurals.select(count) === 'one' ? 'one' : 'other'}` : name;
  const text = words.value[form] ?? words.value[name] ?? name;
  return text.replaceAll(/\{(\w+)\}/g, (whole, value: string) => {
    const found = values[value];
    return typeof found === 'number' ? numberText(found) : (found ?? whole);
  });
}

const numberText = (value: number): string => value.toLocaleString(region.value);
