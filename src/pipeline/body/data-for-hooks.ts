/** The attributes of a body as hooks get them: in the form that documents have. A body may say `true`
 *  as `"true"` and 5000 as `"5 000"`, which a rule that compares values would let pass. */
import { jsonOf } from '../../model/attributes/attribute-types.ts';
import { rounded } from '../../model/attributes/lossless.ts';
import { type Attribute, type ContentModel, type Schema, schemaOf } from '../../model/content-model.ts';
import type { JsonObject } from '../../text/json.ts';
import type { BodyEntry, BodyScalar } from '../parse/body/types.ts';

/** `sent`: what `body` was read from. Relations stay as they are. */
export function dataForHooks(sent: JsonObject, body: BodyEntry, model: ContentModel): JsonObject {
  const schema = schemaOf(model, body.uid);
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, shownValue(name, value, { body, schema, model })]));
}

interface Within {
  readonly body: BodyEntry;
  readonly schema: Schema | undefined;
  readonly model: ContentModel;
}

function shownValue(name: string, value: unknown, { body, schema, model }: Within): unknown {
  const attribute = schema?.attributes.get(name);
  const scalar = body.scalars.get(name);
  if (attribute !== undefined && scalar !== undefined) return shownScalar(scalar, attribute, value);
  const components = body.components.get(name);
  if (components === undefined || value === null) return rounded(value);
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  const items = components.items.map((item, index) =>
    item.kind === 'entry' ? dataForHooks(listed[index] as JsonObject, item.entry, model) : rounded(item.value),
  );
  // A list in place of one, and one in place of a list, is refused later.
  return attribute?.kind === 'component' && attribute.cardinality === 'one' ? items[0] : items;
}

function shownScalar(scalar: BodyScalar, attribute: Attribute, sent: unknown): unknown {
  if (scalar.ok !== true || attribute.kind !== 'scalar') return rounded(sent);
  const { value } = scalar;
  // Responses have no passwords.
  if (value === null || attribute.type === 'password') return value;
  return JSON.parse(jsonOf(value, attribute.type));
}
