/** SIGINT and SIGTERM, as a promise: the first asks for a clean stop, a second one ends the process at once. */

/** `npm run` passes a Ctrl-C on to a process that has already got it from the terminal: what comes this soon is the same wish. */
const sameWish = 300;
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

export interface StopSignal {
  readonly arrival: Promise<void>;
  received(): boolean;
}

export function stopSignal(): StopSignal {
  let first: number | undefined;
  const arrival = new Promise<void>((stop) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (first === undefined) {
          first = performance.now();
          stop();
        } else if (performance.now() - first > sameWish) {
          process.exit(exitCodes[name]);
        }
      });
    }
  });
  return { arrival, received: () => first !== undefined };
}
