/** What a user chose for the lists of a type, in this browser: columns and saved views. */
import { me } from '../server/me.ts';

export interface SavedView {
  readonly name: string;
  /** `where=…&sort=…` */
  readonly query: string;
  /** Shown when the list is opened from the menu. */
  readonly isDefault: boolean;
}

const keyOf = (what: 'columns' | 'views', uid: string) => `lectern-console-${what} ${me.value?.user?.id ?? 0} ${uid}`;

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Undefined until somebody chooses. */
export function keptColumns(uid: string): readonly string[] | undefined {
  const names = read(keyOf('columns', uid));
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : undefined;
}

/** Undefined: the usual ones again. */
export function keepColumns(uid: string, names: readonly string[] | undefined): void {
  const key = keyOf('columns', uid);
  if (names === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(names));
}

const isView = (value: unknown): value is SavedView => {
  const { name, query, isDefault } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof query === 'string' && typeof isDefault === 'boolean';
};

export function keptViews(uid: string): readonly SavedView[] {
  const views = read(keyOf('views', uid));
  return Array.isArray(views) ? views.filter(isView) : [];
}

export function keepViews(uid: string, views: readonly SavedView[]): void {
  localStorage.setItem(keyOf('views', uid), JSON.stringify(views));
}
