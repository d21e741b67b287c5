/** The second stage of a write. The right to the action itself was checked with the route; here it is about what the body and the answer reach. */
import type { Rights } from '../../access/actor.ts';
import type { Policies } from '../../config/config.ts';
import { invalidBodyKey } from '../../errors/invalid-key.ts';
import type { ContentModel, Schema, Uid } from '../../model/content-model.ts';
import type { BodyEntry, RelationChange, Target } from '../parse/body/types.ts';
import type { WriteRequest } from '../parse/types.ts';
import { permittedRead } from './authorise-read.ts';
import type { PermittedWrite } from './types.ts';

/** Refuses relations to what the caller may not find: whether a document exists is for those who may read it. */
export function authoriseWrite(request: WriteRequest, rights: Rights, policies: Policies, model: ContentModel): PermittedWrite {
  const answer = permittedRead(request.answer, rights, policies, request.action === 'create');
  if (request.data?.kind === 'entry') checkRelations(request.data.entry, '', rights, model);
  // The one place where the brand is put on.
  return { ...request, answer } as PermittedWrite;
}

function checkRelations(entry: BodyEntry, path: string, rights: Rights, model: ContentModel): void {
  const schema: Schema | undefined = model.contentTypes.get(entry.uid) ?? model.components.get(entry.uid);
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, change] of entry.relations) {
    const attribute = schema?.attributes.get(name);
    // Files are shown to everybody, so they may be linked by everybody.
    if (attribute?.kind !== 'relation') continue;
    const types = attribute.target === undefined ? typesOf(change) : [attribute.target];
    if (types.some((type) => !rights.allows(`${type}.find`))) throw invalidBodyKey(name, within(name));
  }
  for (const [name, { items }] of entry.components) {
    for (const item of items) if (item.kind === 'entry') checkRelations(item.entry, within(name), rights, model);
  }
}

/** Anchors are looked for as well, and may be of other types than what stands beside them. */
const typesOf = (change: RelationChange): Uid[] =>
  (change.kind === 'set'
    ? change.targets
    : [
        ...change.connect.flatMap(({ target, position }) => ('anchor' in position ? [target, position.anchor] : [target])),
        ...change.disconnect,
      ]
  ).flatMap(typeOf);

const typeOf = (target: Target): Uid[] => (target.by === 'unreadable' ? [] : [target.type]);
