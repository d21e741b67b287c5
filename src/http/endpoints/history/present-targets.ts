/** What former links lead to today, as far as the caller may list it. */
import type { Config } from '../../../config/config.ts';
import { fileUid } from '../../../model/built-in-types.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { findFiles } from '../../../rights/rights.ts';
import type { JsonObject } from '../../../text/json.ts';
import type { EndpointCall } from '../../send-response.ts';
import { askList, fewAtATime, isRefused, readsDrafts, Unread } from '../content/ask-list.ts';
import type { FormerTarget } from './stored-content.ts';

export interface TargetParts {
  readonly model: ContentModel;
  readonly config: Config;
  readonly answer: AnswerRead;
  /** At most this many targets are looked up. */
  readonly most: number;
}

const mostOfList = 100;

export class PresentTargets {
  readonly #rows: ReadonlyMap<string, JsonObject>;

  private constructor(rows: ReadonlyMap<string, JsonObject>) {
    this.#rows = rows;
  }

  /** Reads them with the rights of the caller, in the present draft where the caller may see it. */
  static async read(targets: readonly FormerTarget[], parts: TargetParts, call: EndpointCall): Promise<PresentTargets> {
    const { model, config, answer, most } = parts;
    let count = 0;
    const { rights } = call.actor;
    const groups = new Map<string, { type: ContentType; locale: string | undefined; keys: string[] }>();
    for (const target of new Map(targets.map((each) => [keyOf(each), each])).values()) {
      const type = model.contentTypes.get(target.uid);
      if (type === undefined || !rights.allows(listRight(type.uid)) || count >= most) continue;
      count++;
      const name = `${type.uid} ${target.locale}`;
      const group = groups.get(name) ?? { type, locale: target.locale, keys: [] };
      group.keys.push(type.uid === fileUid ? String(target.id) : (target.documentId ?? ''));
      groups.set(name, group);
    }
    const { maxLimit } = config.api;
    const size = Math.min(mostOfList, config.limits.listValues, maxLimit === 'none' ? mostOfList : maxLimit);
    const lists = [...groups.values()].flatMap(({ keys, ...group }) => chunks(keys, size).map((chunk) => ({ ...group, keys: chunk })));
    const found = await fewAtATime(lists, async ({ type, locale, keys }) => {
      const by = type.uid === fileUid ? 'id' : 'documentId';
      const status = readsDrafts(type, rights, config) ? ['status=draft'] : [];
      const query = [
        ...keys.map((key, index) => `filters[${by}][$in][${index}]=${encodeURIComponent(key)}`),
        ...status,
        ...(locale === undefined ? [] : [`locale=${encodeURIComponent(locale)}`]),
        `pagination[start]=0&pagination[limit]=${size}`,
      ];
      const list = await askList(answer, { type, restriction: rights.restriction(listRight(type.uid)), query }, call);
      if (!list.ok && !isRefused(list.outcome)) throw new Unread(list.outcome);
      return (list.ok ? list.rows : []).map(
        (row) => [keyOf({ uid: type.uid, id: row.id, documentId: row.documentId, locale }), row] as const,
      );
    });
    return new PresentTargets(new Map(found.flat()));
  }

  of(target: FormerTarget): JsonObject | undefined {
    return this.#rows.get(keyOf(target));
  }
}

export const listRight = (uid: string): string => (uid === fileUid ? findFiles : `${uid}.find`);

const keyOf = ({ uid, id, documentId, locale }: Readonly<Record<keyof FormerTarget, unknown>>): string =>
  uid === fileUid ? `${uid} ${id}` : `${uid} ${documentId} ${locale ?? ''}`;

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
