/** What is loaded when it is first shown. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { say } from '../words/say.ts';

/** A component whose module is loaded when it is first shown. */
export function later<Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, redraw] = useState(false);
    useEffect(() => {
      if (loaded !== undefined) return;
      void load().then((module) => {
        loaded = module.default;
        redraw(true);
      });
    }, []);
    const Loaded = loaded;
    return Loaded === undefined ? <Skeleton /> : <Loaded {...props} />;
  };
}

/** Stands for what is on its way. It is invisible for the first 100 ms (`console.css`). */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={say('shell.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} />
      ))}
    </div>
  );
}
