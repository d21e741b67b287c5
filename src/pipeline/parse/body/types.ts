/** A parsed body: its keys exist and may be written, its relations and values are read. Wrong
 *  values are reported later, when it is known what they change. Plain data for other processes. */
import type { BodyValue } from '../../../model/attributes/attribute-type.ts';
import type { Uid } from '../../../model/content-model.ts';

/** `data` of a body. A list is refused later, as Strapi reads its items before it refuses it. */
export type BodyData =
  | { readonly kind: 'entry'; readonly entry: BodyEntry }
  | { readonly kind: 'list'; readonly value: readonly unknown[] };

/** An object of a body: the document, or a component in it. */
export interface BodyEntry {
  readonly uid: Uid;
  /** The row id in a component, which names a stored component; undefined for a new one. */
  readonly id: unknown;
  readonly scalars: ReadonlyMap<string, BodyScalar>;
  readonly relations: ReadonlyMap<string, RelationChange>;
  readonly components: ReadonlyMap<string, BodyComponents>;
}

/** The meaning of null depends on the attribute and on the stored value. When a body has as many
 *  problems as are listed, further values are `unread`, since the body is refused anyway. */
export type BodyScalar = { readonly ok: 'null' } | { readonly ok: 'unread' } | BodyValue;

/** The value of a component or dynamic zone. Its shape is checked later, by the attribute. */
export interface BodyComponents {
  readonly value: unknown;
  /** One item for an object, any number for a list. */
  readonly items: readonly BodyItem[];
}

export type BodyItem =
  | { readonly kind: 'entry'; readonly entry: BodyEntry }
  /** Not an object, or an object of a dynamic zone that names no existing component. */
  | { readonly kind: 'malformed'; readonly value: unknown };

export type RelationChange =
  /** Links exactly these targets, in order. `isNull`: the value is null, which a new locale
   *  ignores. `problem`: why it is refused. */
  | { readonly kind: 'set'; readonly targets: readonly Target[]; readonly isNull?: boolean; readonly problem?: string }
  | {
      readonly kind: 'change';
      readonly connect: readonly RelationConnection[];
      readonly disconnect: readonly Target[];
      /** `options.strict`: if false, a target whose anchor is not linked goes to the end. */
      readonly strict: boolean;
    };

/** A document or a row id of a type. `unreadable`: refused together with wrong values. `isOwn`: the
 *  caller's right names it, not the body, so the caller need not have the right to find it. */
export type Target =
  | {
      readonly by: 'documentId';
      readonly type: Uid;
      readonly documentId: string;
      readonly locale: string | undefined;
      readonly isOwn?: true;
    }
  | { readonly by: 'id'; readonly type: Uid; readonly id: number; readonly isOwn?: true }
  | { readonly by: 'unreadable' };

export interface RelationConnection {
  readonly target: Target;
  readonly position: Position;
  /** Whether the body gives a position. */
  readonly hasPosition: boolean;
}

export type Position = { readonly at: 'start' | 'end' } | { readonly at: 'before' | 'after'; readonly anchor: Target };
