/** What a body asks for: keys that exist and may be written, relations and values that are read. What is wrong with values is told later,
 *  when it is known what they change. Plain data: it may go to another thread. */
import type { BodyValue } from '../../../model/attributes/attribute-type.ts';
import type { Uid } from '../../../model/content-model.ts';

/** `data` of a body. Strapi looks into lists before it refuses them, so they get this far. */
export type BodyData =
  | { readonly kind: 'entry'; readonly entry: BodyEntry }
  | { readonly kind: 'list'; readonly value: readonly unknown[] };

/** An object that stands for an entry: a document, or a component in one. */
export interface BodyEntry {
  readonly uid: Uid;
  /** The row id by which a component says that it is one of those that are there; undefined for a new one. */
  readonly id: unknown;
  readonly scalars: ReadonlyMap<string, BodyScalar>;
  readonly relations: ReadonlyMap<string, RelationChange>;
  readonly components: ReadonlyMap<string, BodyComponents>;
}

/** What null means depends on the attribute and on what is there. Once a body has as many problems as are listed, values stay `unread`: it is
 *  refused, whatever they are. */
export type BodyScalar = { readonly ok: 'null' } | { readonly ok: 'unread' } | BodyValue;

/** The value of a component or dynamic zone attribute. Its shape is checked with the other values, against the attribute. */
export interface BodyComponents {
  readonly value: unknown;
  /** One for an object, several for a list. */
  readonly items: readonly BodyItem[];
}

export type BodyItem =
  | { readonly kind: 'entry'; readonly entry: BodyEntry }
  /** No object, or one of a dynamic zone that names no component there is. */
  | { readonly kind: 'malformed'; readonly value: unknown }
  /** The same, in a body that has as many problems as are listed. */
  | { readonly kind: 'unlisted' };

export type RelationChange =
  /** Exactly these, in this order. `isNull`: a plain null, which in a new locale is as good as not given. `problem`: why the value is refused. */
  | { readonly kind: 'set'; readonly targets: readonly Target[]; readonly isNull?: boolean; readonly problem?: string }
  | {
      readonly kind: 'change';
      readonly connect: readonly Connection[];
      readonly disconnect: readonly Target[];
      /** `options.strict`: false asks for the end where a position leads nowhere. */
      readonly strict: boolean;
    };

/** A document, or a row by its id, of a type. `unreadable` names nothing; it is refused together with wrong values. */
export type Target =
  | { readonly by: 'documentId'; readonly type: Uid; readonly documentId: string; readonly locale: string | undefined }
  | { readonly by: 'id'; readonly type: Uid; readonly id: number }
  | { readonly by: 'unreadable' };

export interface Connection {
  readonly target: Target;
  readonly position: Position;
  /** Whether the body gives a position. */
  readonly isPlaced: boolean;
}

export type Position = { readonly at: 'start' | 'end' } | { readonly at: 'before' | 'after'; readonly anchor: Target };
