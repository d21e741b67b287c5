/** A value in the editor. As long as nothing changes, the value is the same object; after a change,
 *  so are the blocks without a change. */
import { Node, type Schema } from '@tiptap/pm/model';
import { isObject } from '../../../../text/json.ts';
import { isEmptyDocument } from './block-commands.ts';
import { type KnownBlocks, toBlocks } from './to-blocks.ts';
import { toDocument } from './to-document.ts';

export class OpenBlocks {
  readonly document: Node;
  readonly #value: readonly unknown[] | null;
  readonly #known: KnownBlocks = new WeakMap();

  constructor(schema: Schema, value: readonly unknown[] | null) {
    this.#value = value;
    this.document = Node.fromJSON(schema, toDocument(value));
    for (const [index, block] of (value ?? []).entries()) this.#remember(this.document.child(index), block);
  }

  #remember(node: Node, block: unknown): void {
    this.#known.set(node, block);
    if (node.type.name !== 'list' && node.type.name !== 'sublist') return;
    const children: unknown = isObject(block) ? block.children : undefined;
    if (!Array.isArray(children)) return;
    for (const [index, child] of children.entries()) this.#remember(node.child(index), child);
  }

  /** The value of a document that this one became. */
  read(document: Node): readonly unknown[] | null {
    if (document.eq(this.document)) return this.#value;
    return isEmptyDocument(document) ? null : toBlocks(document, this.#known);
  }
}
