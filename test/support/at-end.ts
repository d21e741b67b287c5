/** Work to be done when the process of the test files ends: Vitest ends it with SIGTERM, which runs no handler of `exit`. It cannot wait for anything. */
const works: (() => void)[] = [];
const end = () => {
  for (const work of works.splice(0)) work();
};
process.once('exit', end);
process.once('SIGTERM', () => {
  // Playwright has a handler too, which kills browsers and removes their files.
  process.emit('exit', 0);
  // Vitest replaces `process.exit` in this process.
  process.kill(process.pid, 'SIGKILL');
});

/** In the order of the calls, and quick: Vitest kills a process that takes longer than half a second. */
export const atEnd = (work: () => void): void => void works.push(work);
