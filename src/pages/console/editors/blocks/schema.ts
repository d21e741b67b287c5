import { getSchema } from '@tiptap/core';
import { marks } from './marks.ts';
import { nodesIn } from './nodes.ts';

/** The schema of the editor, without an editor. */
export const blocksSchema = getSchema([...nodesIn({ keptBlock: (type) => type, keptInline: (type) => type }), ...marks]);
