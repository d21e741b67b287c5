/** `Server-Timing` as a bar: the width of a stage is its share of the time. */
import type { Timings } from './server-timing.ts';

/** A response from the cache takes some hundredths, which are not nothing. */
const rounded = (milliseconds: number) => milliseconds.toFixed(milliseconds < 1 ? 2 : 1);

export function TimingBar({ timings: { stages } }: { readonly timings: Timings }) {
  const total = stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  if (stages.length === 0) return null;
  return (
    <div class="timing">
      <div class="bar" aria-hidden="true">
        {stages.map(({ name, milliseconds }, index) => (
          <span
            key={name}
            class={`stage-${index % 8}`}
            style={{ flexGrow: (100 * milliseconds) / total }}
            title={`${name}: ${milliseconds.toFixed(2)} ms`}
          />
        ))}
      </div>
      <ul class="legend" aria-label={`Server-Timing: ${rounded(total)} milliseconds`}>
        <li>
          <strong>{rounded(total)} ms</strong> in the server
        </li>
        {stages.map(({ name, milliseconds }, index) => (
          <li key={name}>
            <span class={`dot stage-${index % 8}`} aria-hidden="true" />
            {name} {milliseconds.toFixed(milliseconds < 10 ? 2 : 0)}
          </li>
        ))}
      </ul>
    </div>
  );
}
