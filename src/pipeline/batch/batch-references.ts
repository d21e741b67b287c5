/** `$0.documentId` in a batch: the document of an earlier operation. Only relations and
 *  `documentId` name documents, so that texts stay what they are. */
import { ApiError } from '../../errors/api-error.ts';
import { type ContentModel, type Schema, schemaOf } from '../../model/content-model.ts';
import { isObject } from '../../text/json.ts';

const reference = /^\$(\d{1,6})\.documentId$/;

export class BatchReferences {
  readonly #model: ContentModel;
  /** By operation, the documentId; undefined where there is none, as of a single type. */
  readonly #documentIds: readonly (string | undefined)[];
  /** The operations that were named. */
  readonly named = new Set<number>();

  /** `documentIds`: of the operations that come before. */
  constructor(model: ContentModel, documentIds: readonly (string | undefined)[]) {
    this.#model = model;
    this.#documentIds = documentIds;
  }

  /** `'$0.documentId'` → `'c1x…'`. Throws `batch.reference`. */
  documentId(text: string): string {
    const [, number] = reference.exec(text) ?? [];
    if (number === undefined) return text;
    const found = this.#documentIds[Number(number)];
    if (found === undefined) throw ApiError.of('batch.reference', { reference: text });
    this.named.add(Number(number));
    return found;
  }

  /** The values of a body, with the documents that its relations name. */
  inData(data: Readonly<Record<string, unknown>>, schema: Schema): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => {
        const attribute = schema.attributes.get(name);
        switch (attribute?.kind) {
          case 'relation':
            return [name, this.#inLinks(value)];
          case 'component':
            return [name, this.#inComponents(value, () => attribute.component)];
          case 'dynamiczone':
            return [name, this.#inComponents(value, ({ __component: uid }) => uid)];
          default:
            return [name, value];
        }
      }),
    );
  }

  #inComponents(value: unknown, uidOf: (value: Readonly<Record<string, unknown>>) => unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#inComponents(each, uidOf));
    if (!isObject(value)) return value;
    const component = schemaOf(this.#model, String(uidOf(value)));
    return component === undefined ? value : this.inData(value, component);
  }

  /** Texts, lists of them, and objects such as `{connect: [{documentId, position: {before}}]}`. */
  #inLinks(value: unknown): unknown {
    if (typeof value === 'string') return this.documentId(value);
    if (Array.isArray(value)) return value.map((each) => this.#inLinks(each));
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#inLinks(each)])) : value;
  }
}
