/** The program of a thread that runs hooks and endpoints of a project. */
import { parentPort, workerData } from 'node:worker_threads';
import { beforeContext, committedContext, endpointContext, loggerOf } from './contexts.ts';
import { failureOf, textOf } from './failure.ts';
import { loadFiles } from './load-files.ts';
import type { CodeSetup, FromThread, ToThread, Work } from './protocol.ts';
import { runBefore } from './run-before.ts';
import { type RequestValues, runEndpoint } from './run-endpoint.ts';
import { ServerLink } from './server-link.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the program of a thread');
const setup = workerData as CodeSetup;
const post = (message: FromThread) => port.postMessage(message);
const server = new ServerLink(post);

// An error in work that code does not wait for must not end the thread, which runs other calls.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) =>
    post({ kind: 'log', level: 'error', file: '', message: 'an error that no code of the project has caught', details: textOf(error) }),
  );

const { manifest, problems, hooks, endpoints } = await loadFiles(setup);
const running = new Map<number, AbortController>();

interface Ran {
  readonly result: string;
  /** Resolves when the body of the response was sent. */
  readonly sent?: Promise<void> | undefined;
}

async function run(id: number, work: Work, signal: AbortSignal): Promise<Ran> {
  const asking = { server, call: id, signal, log: loggerOf(work.file, post) };
  switch (work.kind) {
    case 'before': {
      const defined = hooks.get(work.file);
      if (defined === undefined) throw new Error(`no hooks in ${work.file}`);
      const contextOf = (data: Record<string, unknown>, asSystem = defined.asSystem === true) =>
        beforeContext(work, data, { ...asking, asSystem });
      return { result: JSON.stringify(await runBefore(defined, work, contextOf)) };
    }
    case 'committed': {
      const run = hooks.get(work.file)?.committed?.[work.event];
      if (run === undefined) throw new Error(`no function for ${work.event} in ${work.file}`);
      await run(committedContext(work, asking));
      return { result: '' };
    }
    case 'endpoint': {
      const endpoint = endpoints.get(work.file)?.[work.index];
      if (endpoint === undefined) throw new Error(`no endpoint in ${work.file}`);
      const contextOf = (values: RequestValues) => endpointContext(endpoint, work, values, asking);
      const { outcome, sent } = await runEndpoint(endpoint, work, contextOf, server.stream(id, signal));
      return { result: JSON.stringify(outcome), sent };
    }
  }
}

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'ping':
      post({ kind: 'pong' });
      break;
    case 'call': {
      const { id, work } = message;
      const controller = new AbortController();
      running.set(id, controller);
      post({ kind: 'begun', id });
      void run(id, work, controller.signal)
        .then(
          ({ result, sent }) => {
            post({ kind: 'done', id, result, isStreamed: sent !== undefined });
            return sent;
          },
          (error: unknown) => post({ kind: 'failed', id, failure: failureOf(error) }),
        )
        .finally(() => running.delete(id));
      break;
    }
    case 'abort':
      running.get(message.id)?.abort(new Error(message.reason));
      server.abortStream(message.id);
      break;
    default:
      server.receive(message);
  }
});
post({ kind: 'ready', manifest, problems });
