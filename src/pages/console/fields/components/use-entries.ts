/** A list of components as its field changes it. */
import { useRef, useState } from 'preact/hooks';
import { type ComponentValue, copyOfEntry, newComponent } from '../../document/values.ts';
import { componentOf } from '../../server/me.ts';
import { notify } from '../../shell/notices.tsx';
import { say } from '../../words/say.ts';
import type { ControlProps } from '../control-props.ts';
import { dropProblems, type Form, isWithin, type Path, useForm } from '../form-context.ts';
import { moved } from '../reorder.tsx';
import { copiedText, pastedComponent } from './clipboard.ts';
import { copyText } from './copied.ts';
import { entryName } from './entry.tsx';
import { entryKey } from './entry-title.ts';

const undoTime = 10_000;

interface Entries {
  readonly isOpen: (key: string, path: Path) => boolean;
  readonly operations: EntryOperations;
}

/** `uids`: the components that can be in it. */
export function useEntries(props: ControlProps, uids: readonly string[], inZone: boolean): Entries {
  const form = useForm();
  const [, redraw] = useState(0);
  const holder = useRef<EntryOperations>();
  holder.current ??= new EntryOperations(() => redraw((count) => count + 1));
  const operations = holder.current;
  operations.props = props;
  operations.form = form;
  operations.uids = uids;
  operations.inZone = inZone;
  const revealed = form.revealed.value;
  return {
    operations,
    isOpen: (key, path) => {
      // Opened once; the user may close it again.
      if (revealed !== undefined && operations.shown !== revealed && isWithin(revealed, path) && revealed.length > path.length) {
        operations.shown = revealed;
        operations.open.add(key);
      }
      return operations.open.has(key);
    },
  };
}

/** The same object for as long as the field is there, so that entries that do not change are not
 *  drawn again. */
export class EntryOperations {
  declare props: ControlProps;
  declare form: Form;
  uids: readonly string[] = [];
  inZone = false;
  shown: Path | undefined;
  readonly open = new Set<string>();
  readonly #redraw: () => void;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** One component is a list of at most one. */
  get entries(): readonly ComponentValue[] {
    const { value } = this.props;
    return Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as ComponentValue];
  }

  uidOf = ({ __component }: ComponentValue): string => __component ?? this.uids[0] ?? '';

  nameOf = (index: number): string => {
    const entry = this.entries[index];
    return entry === undefined
      ? ''
      : entryName(entry, this.uidOf(entry), this.props.attribute.isMany === true ? index : undefined, this.inZone);
  };

  #put(entries: readonly ComponentValue[]): void {
    const { change, attribute } = this.props;
    const value = attribute.isMany === true ? entries : (entries[0] ?? null);
    // Several changes may come before the next drawing.
    this.props = { ...this.props, value };
    change(value);
  }

  /** Where the problems of other entries are would be wrong after it. */
  #rearrange(entries: readonly ComponentValue[]): void {
    dropProblems(this.form, this.props.path);
    this.#put(entries);
  }

  #indexOf = (key: string): number => this.entries.findIndex((each) => entryKey(each) === key);

  toggle = (key: string): void => {
    if (!this.open.delete(key)) this.open.add(key);
    this.#redraw();
  };

  setAllOpen = (isOpen: boolean): void => {
    this.open.clear();
    if (isOpen) for (const each of this.entries) this.open.add(entryKey(each));
    this.#redraw();
  };

  change = (key: string, name: string, value: unknown): void => {
    this.#put(this.entries.map((each) => (entryKey(each) === key ? { ...each, [name]: value } : each)));
  };

  move = (from: number, to: number): void => this.#rearrange(moved(this.entries, from, to));

  add = (uid: string): void => this.insert(newComponent(uid, componentOf, this.inZone), this.entries.length);

  insert = (entry: ComponentValue, at: number): void => {
    this.open.add(entryKey(entry));
    this.#rearrange([...this.entries.slice(0, at), entry, ...this.entries.slice(at)]);
  };

  duplicate = (key: string): void => {
    const index = this.#indexOf(key);
    const entry = this.entries[index];
    if (entry !== undefined) this.insert(copyOfEntry(entry, this.uidOf(entry), componentOf), index + 1);
  };

  remove = (key: string): void => {
    const index = this.#indexOf(key);
    const entry = this.entries[index];
    if (entry === undefined) return;
    const name = this.nameOf(index);
    this.#rearrange(this.entries.filter((each) => each !== entry));
    notify({
      text: say('fields.removed', { name }),
      stays: undoTime,
      action: { label: say('shell.undo'), run: () => this.#putBack(entry, index) },
    });
  };

  #putBack(entry: ComponentValue, at: number): void {
    if (this.props.attribute.isMany !== true && this.entries.length > 0) return;
    this.#rearrange([...this.entries.slice(0, at), entry, ...this.entries.slice(at)]);
  }

  copy = (key: string): void => {
    const entry = this.entries[this.#indexOf(key)];
    if (entry === undefined) return;
    void copyText(copiedText(this.uidOf(entry), entry, componentOf));
    notify({ text: say('fields.copied', { name: this.nameOf(this.#indexOf(key)) }) });
  };

  /** Whether the text is a component that can be in it. */
  paste = (text: string): boolean => {
    const pasted = pastedComponent(text, this.uids, componentOf, this.inZone);
    if (pasted !== undefined) this.insert(pasted, this.entries.length);
    return pasted !== undefined;
  };
}
