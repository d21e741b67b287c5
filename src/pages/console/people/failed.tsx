import type { Failure } from '../server/request.ts';
import { say } from '../words/say.ts';

/** Stands where something could not be loaded. */
export function Failed({ failure, retry }: { readonly failure: Failure; readonly retry: () => Promise<void> }) {
  return (
    <div class="people-empty" role="alert">
      <p>{failure.code === 'console.offline' ? say('shell.offline') : failure.message}</p>
      <button type="button" onClick={() => void retry()}>
        {say('shell.retry')}
      </button>
    </div>
  );
}
