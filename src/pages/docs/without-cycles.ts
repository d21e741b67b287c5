/** Swagger UI copies schemas into each other wherever one refers to another, which can take
 *  minutes. Here a circular reference becomes an object with the name of the other schema. */

type Json = Readonly<Record<string, unknown>>;

const prefix = '#/components/schemas/';
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document without references between schemas that lead back to themselves. */
export function withoutCycles<T extends object>(document: T): T {
  const schemas = schemasOf(document);
  const groups = groupsOf(schemas);
  const cut = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, replaced(schema, (target) => groups.get(target) === groups.get(name))]),
  );
  return { ...document, components: { ...(document as { readonly components?: object }).components, schemas: cut } };
}

function schemasOf(document: object): Readonly<Record<string, unknown>> {
  const { components } = document as { readonly components?: unknown };
  return isObject(components) && isObject(components.schemas) ? components.schemas : {};
}

function replaced(value: unknown, isCut: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, isCut));
  if (!isObject(value)) return value;
  const name = targetOf(value);
  if (name !== undefined) return isCut(name) ? { type: 'object', description: `As the schema ${name}.` } : value;
  // Without its branches a discriminator would lead nowhere.
  const entries = Object.entries(value).filter(([key]) => key !== 'discriminator');
  return Object.fromEntries(entries.map(([key, inner]) => [key, replaced(inner, isCut)]));
}

const targetOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined;

function targetsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) targetsIn(item, found);
  else if (isObject(value)) {
    const name = targetOf(value);
    if (name === undefined) for (const inner of Object.values(value)) targetsIn(inner, found);
    else found.add(name);
  }
  return found;
}

/** The strongly connected components of the references: schemas with one number reach each other.
 *  Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion. */
function groupsOf(schemas: Readonly<Record<string, unknown>>): ReadonlyMap<string, number> {
  const group = new Map<string, number>();
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const lower = (name: string, number: number) => lowest.set(name, Math.min(lowest.get(name) ?? number, number));
  const enter = (name: string) => {
    order.set(name, order.size);
    lower(name, order.size - 1);
    open.push(name);
    return { name, targets: [...targetsIn(schemas[name])].filter((target) => target in schemas) };
  };
  for (const start of Object.keys(schemas)) {
    if (order.has(start)) continue;
    const path = [enter(start)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { name, targets } = step;
      const target = targets.pop();
      if (target !== undefined) {
        if (!order.has(target)) path.push(enter(target));
        else if (!group.has(target)) lower(name, order.get(target) ?? 0);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) lower(above.name, lowest.get(name) ?? 0);
      if (lowest.get(name) !== order.get(name)) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        group.set(member, order.get(name) ?? 0);
        if (member === name) break;
      }
    }
  }
  return group;
}
