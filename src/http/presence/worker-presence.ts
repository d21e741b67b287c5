/** With `workers`, the primary process knows the editors, and the others ask it. */
import type { Worker } from 'node:cluster';
import { isMessage, Questions, tellPrimary } from '../../observe/workers.ts';
import { type Editor, Editors, type Presence, type SeenEditor } from './presence.ts';

interface Note {
  readonly lectern: 'note editor';
  readonly id: number;
  readonly document: string;
  readonly editor: Editor;
}
interface Leave {
  readonly lectern: 'editor leaves';
  readonly document: string;
  readonly userId: number;
}
interface Others {
  readonly lectern: 'other editors';
  readonly id: number;
  readonly others: readonly SeenEditor[];
}

/** Without a reply within this time, a process uses what it knows itself. Milliseconds. */
const replyTimeout = 250;
const maxWaiting = 1000;

/** In the primary process. Call the result once for each worker. */
export function knowEditorsOfWorkers(): (worker: Worker) => void {
  const editors = new Editors();
  return (worker) => {
    worker.on('message', (message: unknown) => {
      if (isMessage<Leave>(message, 'editor leaves')) editors.leave(message.document, message.userId);
      if (!isMessage<Note>(message, 'note editor')) return;
      const others = editors.note(message.document, message.editor);
      if (worker.isConnected()) worker.send({ lectern: 'other editors', id: message.id, others } satisfies Others);
    });
  };
}

/** In a worker. */
export function openWorkerPresence(): Presence {
  const own = new Editors();
  const questions = new Questions<readonly SeenEditor[]>();
  const receive = (message: unknown) => {
    if (isMessage<Others>(message, 'other editors')) questions.reply(message.id, message.others);
  };
  process.on('message', receive);
  return {
    async note(document, editor) {
      const alone = own.note(document, editor);
      if (questions.waiting >= maxWaiting) return alone;
      const note = (id: number) => tellPrimary({ lectern: 'note editor', id, document, editor } satisfies Note);
      return (await questions.ask(note, replyTimeout)) ?? alone;
    },
    leave(document, userId) {
      own.leave(document, userId);
      tellPrimary({ lectern: 'editor leaves', document, userId } satisfies Leave);
    },
    close: () => void process.off('message', receive),
  };
}
