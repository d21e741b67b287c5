/** Gives processes a part of a processor, by the kernel's scheduler (cgroup v1, `cpu.cfs_quota_us`). */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './options.mjs';
import { descendantsOf } from './processes.mjs';

const root = '/sys/fs/cgroup/cpu';

/** Microseconds in which the part may be used up: the default of Docker and Kubernetes. */
const period = 100_000;

/** @param {number} share processors, such as 0.25, that the process and its descendants may use together
 *  @returns {() => void} takes the limit away; a group without processes is removed */
export function limitProcessor(pid, share) {
  const group = join(root, `lectern-bench-${pid}`);
  try {
    if (!existsSync(join(root, 'cgroup.procs'))) throw new Error('it is not mounted');
    mkdirSync(group);
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(period));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(period * share)));
    for (const each of [pid, ...descendantsOf(pid)]) writeFileSync(join(group, 'cgroup.procs'), String(each));
  } catch (error) {
    throw new UsageError(`A part of a processor needs root, and the controller cpu of cgroup v1 at ${root}: ${error.message}`);
  }
  return () => {
    for (const each of [pid, ...descendantsOf(pid)]) {
      try {
        writeFileSync(join(root, 'cgroup.procs'), String(each));
      } catch {
        // It has ended.
      }
    }
    rmdirSync(group);
  };
}
