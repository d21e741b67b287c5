/** Fills a form, or some of its fields, with the values of another locale; nothing is saved by it. */
import type { DescribedAttribute } from '../server/me.ts';
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import type { OpenDocument } from './open-document.ts';
import type { Values } from './values.ts';

/** Another document may have the uid already. */
export const canFill = (attribute: DescribedAttribute): boolean => attribute.localized && attribute.type !== 'uid';

/** `locale`: the name for people. */
export function fillFrom(opened: OpenDocument, locale: string, values: Values, attributes: readonly DescribedAttribute[]): void {
  const names = attributes.filter(canFill).map(({ name }) => name);
  const before = names.map((name) => [name, opened.valueOf(name).value] as const);
  opened.fill(Object.fromEntries(names.map((name) => [name, values[name]])));
  const undo = () => {
    for (const [name, value] of before) opened.change(name, value);
  };
  notify({ text: say('document.copied', { locale }), action: { label: say('shell.undo'), run: undo }, stays: 15_000 });
}
