/** The server of a storm, which is killed and started again. */
import { descendantsOf } from '../processes.mjs';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Milliseconds within which a server has to be ready after a fault. */
const readyTime = 30_000;

export class Serving {
  server;
  #start;
  #started;
  /** Processes of servers that were killed, which may still be writing. */
  #orphans = [];

  /** @param {(base: string) => void} started called with the URL of each server */
  constructor(project, started) {
    this.server = project.server;
    this.#start = project.start;
    this.#started = started;
    started(this.server.base);
  }

  async kill() {
    this.#orphans.push(...descendantsOf(this.server.pid));
    await this.server.kill();
  }

  async start() {
    this.server = await this.#start();
    this.#started(this.server.base);
  }

  /** Waits until the server is ready, and until the processes of killed servers have ended. */
  async settle() {
    for (const since = Date.now(); ; await pause(50)) {
      if (!this.server.isAlive()) throw new Error(`the server has ended by itself\n${this.server.output.stderr}`);
      const { status } = await fetch(`${this.server.base}/_ready`).catch(() => ({ status: 0 }));
      if (status === 200 && !this.#orphans.some(isAlive)) break;
      if (Date.now() - since > readyTime)
        throw new Error(`not ready ${readyTime / 1000} s after a fault: status ${status}\n${this.server.output.stderr}`);
    }
    this.#orphans = [];
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
