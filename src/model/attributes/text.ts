import { type AttributeType, valid } from './attribute-type.ts';

export const textAttribute: AttributeType = {
  search: 'text',
  textual: true,
  parseFilter: valid,
  writeJson: (stored) => JSON.stringify(typeof stored === 'string' ? stored : String(stored)),
};

/** Never selected, filtered or searched; only checked against. */
export const passwordAttribute: AttributeType = { ...textAttribute, search: 'no', writeJson: () => 'null' };
