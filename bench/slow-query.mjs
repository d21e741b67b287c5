/** One slow query beside cheap ones: what it costs other callers. */
import { loadPaths } from './processes.mjs';
import { short } from './report.mjs';
import { slowQueries } from './scenarios.mjs';

/** So many callers of cheap requests leave a processor free. */
const callers = 4;
/** A slow query takes this many milliseconds, if as many conditions as the server allows are enough for that. */
const slow = 1000;
const mostConditions = 40;

/** @param {{base: string, names: object, cheap: string[], seconds: number}} asked `cheap` are the paths of cheap requests */
export async function measureSlowQuery({ base, names, cheap, seconds }) {
  const { conditions, milliseconds } = await findSlowQuery(base, names);
  const cheapLoad = () => loadPaths({ base, paths: cheap, seconds, connections: callers });
  const alone = await cheapLoad();
  const [beside, slowOnes] = await Promise.all([
    cheapLoad(),
    loadPaths({ base, paths: slowQueries(names, conditions), from: 100, seconds, connections: 1 }),
  ]);
  return { conditions, milliseconds, alone, beside, slow: { responses: slowOnes.responses, failed: slowOnes.failed, p50: slowOnes.p50 } };
}

/** Doubles the conditions until the query is slow. Requests are not sent twice, so no cache can respond. */
async function findSlowQuery(base, names) {
  for (let conditions = 5, attempt = 0; ; conditions = Math.min(2 * conditions, mostConditions), attempt++) {
    const began = performance.now();
    const response = await fetch(base + slowQueries(names, conditions)[attempt]);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the slow query with ${conditions} conditions: status ${response.status}`);
    const milliseconds = performance.now() - began;
    if (milliseconds >= slow || conditions === mostConditions) return { conditions, milliseconds };
  }
}

export const slowQueryLine = ({ conditions, milliseconds, alone, beside, slow }) =>
  `Cheap requests of ${callers} callers: p99 ${short(alone.p99)} ms, ${short(alone.perSecond)}/s; beside one slow query (${conditions} conditions, ` +
  `${short(milliseconds)} ms alone): p99 ${short(beside.p99)} ms, ${short(beside.perSecond)}/s` +
  `${beside.failed > 0 ? `, ${beside.failed} failed` : ''}. Slow queries meanwhile: ${slow.responses} responses` +
  `${slow.failed > 0 ? `, ${slow.failed} refused` : ''}`;
