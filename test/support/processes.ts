/** The processes that a server has started. */
import { existsSync, readFileSync } from 'node:fs';

/** Those whose command holds the name of a program (`image-process`); none where the system does not list them. */
export function processesOf(pid: number, program: string): readonly number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  return children.filter((child) => commandOf(child).includes(program));
}

/** Empty for a process that has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
