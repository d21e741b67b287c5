/** The caller and what it may do: `GET /api/_me`. */
import { computed, signal } from '@preact/signals';
import type {
  DescribedAttribute,
  DescribedComponent,
  DescribedMe,
  DescribedType,
  TypeAction,
} from '../../../http/endpoints/me/described-me.ts';
import { request } from './request.ts';
import { settings } from './settings.ts';
import { owner } from './token.ts';

export type { DescribedAttribute, DescribedComponent, DescribedMe, DescribedType };

export const me = signal<DescribedMe | undefined>(undefined);

/** Resolves with why it failed; undefined if it did not. */
export async function loadMe(): Promise<string | undefined> {
  const answer = await request<DescribedMe>('GET', `${settings.value.prefix}/_me`, { asksAgain: false });
  if (!answer.ok) return answer.failure?.message ?? '';
  me.value = answer.json;
  owner.value = answer.json?.user?.id;
  return undefined;
}

const byName = computed(() => new Map(me.value?.types.map((type) => [pathNameOf(type), type])));
const byUid = computed(() => new Map(me.value?.types.map((type) => [type.uid, type])));

/** The name of a type in paths of the console: `articles`, `homepage`. */
export const pathNameOf = ({ kind, pluralName, singularName }: DescribedType): string =>
  kind === 'singleType' ? singularName : pluralName;

export const typeAtPath = (name: string): DescribedType | undefined => byName.value.get(name);
export const typeOf = (uid: string | undefined): DescribedType | undefined => (uid === undefined ? undefined : byUid.value.get(uid));
export const componentOf = (uid: string): DescribedComponent | undefined => me.value?.components[uid];

export const may = (type: DescribedType, action: TypeAction): boolean => type.actions[action] !== undefined;
/** Whether the caller may use an action besides those of content types. */
export const mayUse = (action: string): boolean => me.value?.actions.includes(action) ?? false;

/** Whether the caller is an administrator. */
export const mayManage = (): boolean => mayUse('lectern::management.access');

export const defaultLocale = (): string | undefined => me.value?.locales.find(({ isDefault }) => isDefault)?.code;
/** `English (en)`, as the locale is stored; the code of one that is not. */
export const localeName = (code: string): string => me.value?.locales.find((each) => each.code === code)?.name ?? code;

/** The types that people edit here; accounts have pages of their own. */
export const editableTypes = computed(() => (me.value?.types ?? []).filter(({ uid }) => uid.startsWith('api::')));
