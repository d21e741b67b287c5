/** Checks the setting `selections` at the start, so that no request meets a mistake in it. */
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { type ContentModel, type Schema, schemaOf, type Uid } from '../../model/content-model.ts';
import { UnlistedComponents } from '../unlisted-components.ts';
import { ParseContext } from './context.ts';
import { fieldsOf } from './fields.ts';
import { namedSelections } from './named-selections.ts';
import { parsePopulate } from './populate.ts';
import type { QueryObject, QueryValue } from './query-string.ts';
import { withSelections } from './selection-layers.ts';

/** Throws a `StartError` that names each selection of an unknown type, with an unknown attribute,
 *  with more paths than a query may have, or that leads back to itself. */
export function checkSelections(config: Config, model: ContentModel): void {
  const problems: string[] = [];
  const uses = new Map<string, ReadonlySet<string>>();
  const all = [...namedSelections(config.selections)].flatMap(([uid, ofType]) => {
    const schema = schemaOf(model, uid as Uid);
    if (schema === undefined) problems.push(`selections: there is no content type or component ${JSON.stringify(uid)}`);
    return schema === undefined ? [] : [...ofType].map(([name, options]) => ({ schema, name, options }));
  });
  const parts = { config, model, unlisted: new UnlistedComponents(model), bare: false, planParameters: undefined, known: undefined };
  const attempt = ({ schema, name, options }: (typeof all)[number], context: ParseContext): void => {
    try {
      parseOptions(options, schema, context);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(`selections: ${JSON.stringify(schema.uid)}: ${name}: ${error.message}`);
    }
  };
  for (const each of all) {
    const context = new UsesOfSelections(parts);
    attempt(each, context);
    uses.set(keyOf(each.schema, each.name), context.used);
  }
  for (const cycle of cyclesOf(uses)) problems.push(`selections: these lead back to themselves: ${cycle.join(' → ')}`);
  // With a cycle, reading all levels would not end.
  if (problems.length === 0) for (const each of all) attempt(each, new ParseContext(parts));
  if (problems.length > 0) throw new StartError(problems);
}

function parseOptions(options: QueryObject, schema: Schema, context: ParseContext): void {
  const layers = withSelections([options], schema, '', context);
  fieldsOf(layers, schema, context, 'fields');
  parsePopulate(
    layers.map(({ populate }) => populate),
    schema,
    context,
  );
}

const keyOf = ({ uid }: Schema, name: string): string => `${uid} ${name}`;

/** Notes which selections are named, and leaves their own options for another turn. */
class UsesOfSelections extends ParseContext {
  readonly used = new Set<string>();

  override selection(value: QueryValue, schema: Schema, path: string): QueryObject {
    super.selection(value, schema, path);
    this.used.add(keyOf(schema, String(value)));
    return {};
  }
}

function cyclesOf(uses: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (key: string, above: readonly string[]): void => {
    const at = above.indexOf(key);
    if (at !== -1) cycles.push([...above.slice(at), key]);
    if (at !== -1 || done.has(key)) return;
    for (const next of uses.get(key) ?? []) visit(next, [...above, key]);
    done.add(key);
  };
  for (const key of uses.keys()) visit(key, []);
  return cycles;
}
