/** The tables that join the rows of entries with those of their components. */
import { componentsColumns } from '../model/content-model.ts';
import type { Column } from './table.ts';

/** The columns of every components table, without its id. */
export const componentsTableColumns: readonly Column[] = [
  { name: componentsColumns.owner, type: 'reference' },
  { name: componentsColumns.component, type: 'reference' },
  { name: componentsColumns.type, type: 'string' },
  { name: componentsColumns.field, type: 'string' },
  { name: componentsColumns.order, type: 'order' },
];
