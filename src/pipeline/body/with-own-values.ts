import type { BodyEntry } from '../parse/body/types.ts';

/** Returns the body of a new row: what the body leaves out, the caller's own values fill in. */
export const withOwnValues = (body: BodyEntry, own: BodyEntry | undefined): BodyEntry =>
  own === undefined
    ? body
    : {
        ...body,
        scalars: new Map([...own.scalars, ...body.scalars]),
        relations: new Map([...own.relations, ...body.relations]),
      };
