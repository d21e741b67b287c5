/** An attribute that may be read and written, for unit tests. */
import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';

export const attribute = (name: string, type: string, more: Partial<DescribedAttribute> = {}): DescribedAttribute => ({
  name,
  type,
  label: name,
  canRead: true,
  canCreate: true,
  canUpdate: true,
  required: false,
  unique: false,
  localized: false,
  hasColumn: true,
  isSystem: false,
  ...more,
});
