/** Rows of groups become the JSON text of `{data: [{key, count, avg}], meta}`. */
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import type { ScalarType } from '../../model/content-model.ts';
import type { CompiledGroups } from '../compile/types.ts';
import type { FoundRow } from '../execute/types.ts';
import type { Pagination } from '../parse/types.ts';
import type { JsonOutput } from './json-output.ts';

/** `limit` is one more than the groups that are shown. */
export function writeGroups(rows: readonly FoundRow[], groups: CompiledGroups, { limit }: GroupPage, output: JsonOutput): void {
  const shown = rows.slice(0, limit - 1);
  const names = [...new Set(groups.functions.map(({ name }) => name))];
  const byFunction = names.map((name) => ({ name, members: groups.functions.filter((each) => each.name === name) }));
  output.json('{"data":[');
  shown.forEach(({ values }, at) => {
    output.json(at === 0 ? '{"key":{' : ',{"key":{');
    groups.keys.forEach(({ name, value, related }, index) => {
      output.json(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
      if (related === undefined || values[value.index] === null) writeValue(values[value.index], value.type, output);
      else {
        output.json('{"documentId":');
        writeValue(values[value.index], value.type, output);
        if (related.title !== undefined) {
          output.json(`,${JSON.stringify(related.title.name)}:`);
          writeValue(values[related.title.index], related.title.type, output);
        }
        output.json('}');
      }
    });
    output.json('}');
    if (groups.count !== undefined) output.json(`,"count":${Number(values[groups.count])}`);
    for (const { name, members } of byFunction) {
      output.json(`,"${name}":{`);
      members.forEach(({ attribute, index, type }, position) => {
        output.json(`${position === 0 ? '' : ','}${JSON.stringify(attribute)}:`);
        writeValue(values[index], type, output);
      });
      output.json('}');
    }
    output.json('}');
  });
  output.json(`],"meta":{"limit":${limit - 1},"more":${rows.length > shown.length}}}`);
}

type GroupPage = Extract<Pagination, { kind: 'groups' }>;

function writeValue(value: unknown, type: ScalarType, output: JsonOutput): void {
  if (value === null || value === undefined) output.json('null');
  else attributeTypes[type].write(value, output);
}
