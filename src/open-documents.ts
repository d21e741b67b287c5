/** What commands read and write documents with: the pipeline of a server, with its hooks, events and
 *  history, without http. */
import { createMailer } from './accounts/mailer.ts';
import { answerCode } from './answer-code.ts';
import { createBeforeWrite } from './before-write.ts';
import type { Config } from './config/config.ts';
import type { Database } from './dialects/database.ts';
import { keepsEvents } from './events/event-store.ts';
import { createLocales } from './locales/locales.ts';
import { urlSigning } from './media/storage/url-signer.ts';
import type { ContentModel } from './model/content-model.ts';
import { Figures } from './observe/figures.ts';
import { type CodeLog, openOwnCode } from './own-code/own-code.ts';
import { createAnswerRead } from './pipeline/answer-read.ts';
import { createAnswerWrite } from './pipeline/answer-write.ts';
import { createAnswerBatch } from './pipeline/batch/answer-batch.ts';
import type { AnswerBatch, AnswerRead } from './pipeline/call.ts';
import { FairConnections } from './pipeline/run/queue/fair-connections.ts';
import { openDirectReader } from './pipeline/run/read/direct-reader.ts';
import { openWriter } from './pipeline/run/write/run-write.ts';
import { UnlistedComponents } from './pipeline/unlisted-components.ts';
import { columnsByTable } from './sql/table-exists.ts';

export interface Documents {
  readonly answerRead: AnswerRead;
  readonly answerBatch: AnswerBatch;
  close(): Promise<void>;
}

export interface DocumentsParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  /** Takes what hooks log, and mails where no mail server is configured. */
  readonly log: CodeLog;
}

export async function openDocuments({ config, model, database, log }: DocumentsParts): Promise<Documents> {
  const { limits } = config;
  const tables = await columnsByTable(database);
  const code = await openOwnCode(config.dir, model, log);
  const queue = new FairConnections(limits, config.database.poolMax);
  const signing = urlSigning(config);
  const locales = createLocales(database, () => undefined);
  const figures = new Figures();
  const common = { config, model, database, locales, figures, unlisted: new UnlistedComponents(model) };
  const answerRead = createAnswerRead({
    ...common,
    reader: openDirectReader({ database, queue, limits, signing }),
    replicas: undefined,
    defaultPopulate: new Map(),
    responses: undefined,
    shapeRecord: { note: () => undefined },
  });
  const mailer = createMailer(config.mail, (mail) => log.info({ mail }, 'no mail server is configured, so this mail is only here'));
  const answerFor = answerCode({ model, answerRead, answerWrite: (call, caller) => answerWrite(call, caller), mailer });
  const beforeWrite = code === undefined ? undefined : createBeforeWrite({ model, code, locales, answerRead, answerFor });
  const writing = {
    ...common,
    keepsEvents: keepsEvents(config, tables),
    writer: openWriter(database, queue, { model, limits, signing }),
    beforeWrite,
  };
  const answerWrite = createAnswerWrite(writing);
  return {
    answerRead,
    answerBatch: createAnswerBatch(writing),
    async close() {
      mailer.close();
      await code?.close();
    },
  };
}
