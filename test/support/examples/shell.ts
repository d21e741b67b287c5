/** A bash that runs one block after the other, so that variables and the working directory stay. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'vitest';

export interface Ended {
  /** The exit status of the last command that has failed; 0 if all have succeeded. */
  readonly status: number;
  /** Standard output and standard error, in the order of their lines. */
  readonly output: string;
}

/** Keeps the status of the last command that has failed, wherever in the block it stands. */
const loop = `exec 2>&1
set -o pipefail -E
trap 'failed=$?' ERR
while IFS= read -r -d "" block; do failed=0; eval "$block"; echo; echo "<ended $failed>"; done`;

export class Shell {
  readonly #bash: ChildProcess;
  #output = '';

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.#bash = spawn('bash', ['-c', loop], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#bash.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  /** Commands read nothing of what follows the block. */
  async run(block: string): Promise<Ended> {
    this.#output = '';
    this.#bash.stdin?.write(`{\n${block}\n} </dev/null\0`);
    await expect.poll(() => this.#output, { timeout: 30_000, interval: 5, message: block }).toMatch(/<ended \d+>\n$/);
    const [, output = '', status = ''] = /^(.*)\n<ended (\d+)>\n$/s.exec(this.#output) ?? [];
    return { output, status: Number(status) };
  }

  end(): void {
    this.#bash.stdin?.end();
  }
}
