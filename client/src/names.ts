/** Names of the types of a `Schema`, and what it has of each. */
import type { AnySchema } from './schema.ts';

export type CollectionName<S extends AnySchema> = keyof S['collections'] & string;
export type SingleName<S extends AnySchema> = keyof S['singles'] & string;
export type TypeName<S extends AnySchema> = CollectionName<S> | SingleName<S>;

export type Uid<S extends AnySchema> = keyof S['types'];

export type UidOf<S extends AnySchema, N> = (
  N extends keyof S['collections']
    ? S['collections'][N]
    : N extends keyof S['singles']
      ? S['singles'][N]
      : never
) extends infer U extends Uid<S>
  ? U
  : never;

/** The uids of collection types and of single types. */
export type CollectionUid<S extends AnySchema> = S['collections'][keyof S['collections']];
export type SingleUid<S extends AnySchema> = S['singles'][keyof S['singles']];
export type ContentUid<S extends AnySchema> = CollectionUid<S> | SingleUid<S>;

/** Whether no schema was given. */
export type IsLoose<S extends AnySchema> = string extends Uid<S> ? true : false;

export type EntryOf<S extends AnySchema, U extends Uid<S>> = S['types'][U]['entry'];
export type TargetsOf<S extends AnySchema, U extends Uid<S>> = S['types'][U]['populate'];
export type ScalarName<S extends AnySchema, U extends Uid<S>> = Exclude<keyof EntryOf<S, U>, keyof TargetsOf<S, U>> & string;
export type RelatedName<S extends AnySchema, U extends Uid<S>> = keyof TargetsOf<S, U> & string;

export type LooseObject = { readonly [name: string]: unknown };
