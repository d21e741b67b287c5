/** What a webhook has got in a storm: each event of each work at least once, in the order of its writes; and an event for each acknowledged write. */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Another process takes over what a killed one had to send within this time. Milliseconds. */
const patience = 60_000;
const eventNames = {
  ...{ create: 'entry.create', update: 'entry.update', publish: 'entry.publish' },
  ...{ unpublish: 'entry.unpublish', discard: 'entry.draft-discard', delete: 'entry.delete' },
};

/** @returns {Promise<{env: object, first: Map<string, object[]>}>} `first`: messages by documentId, without repetitions, in the order of their arrival */
export async function startReceiver(cleanUps) {
  const seen = new Set();
  const first = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end();
    const id = request.headers['webhook-id'];
    if (seen.has(id)) return;
    seen.add(id);
    const message = JSON.parse(Buffer.concat(chunks));
    first.set(message.documentId, [...(first.get(message.documentId) ?? []), message]);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => server.closeAllConnections() ?? server.close());
  const url = `http://127.0.0.1:${server.address().port}`;
  const webhook = { name: 'storm', url, events: Object.values(eventNames), types: ['api::work.work'], payload: 'thin' };
  return { first, env: { LECTERN_EVENTS_ALLOW_PRIVATE: '127.0.0.1', LECTERN_WEBHOOKS: JSON.stringify([webhook]) } };
}

/** Waits until everything has arrived. Returns what is wrong, as sentences, and the number of events. */
export async function checkDeliveries(project, records, { first }) {
  const listed = JSON.parse(await project.command('events', '--json', '--limit', '100000'));
  const events = listed.filter(({ uid }) => uid === 'api::work.work').reverse();
  const stored = new Map();
  for (const event of events) stored.set(event.documentId, [...(stored.get(event.documentId) ?? []), event]);
  const shown = ({ event, locale, createdAt }) => `${event} ${locale} ${createdAt}`;
  const wrongOf = ([documentId, list]) => {
    const wanted = list.map((each) => shown({ ...each, event: eventNames[each.type] })).join('\n');
    return (first.get(documentId) ?? []).map(shown).join('\n') === wanted ? [] : [documentId];
  };
  const until = performance.now() + patience;
  while ([...stored].some((each) => wrongOf(each).length > 0) && performance.now() < until) await pause(200);
  const undelivered = [...stored]
    .flatMap(wrongOf)
    .map((documentId) => `the events of ${documentId} have not arrived, or not in their order`);
  return { problems: [...undelivered, ...uncounted(records, stored)], count: events.length };
}

/** Works whose events are fewer than their acknowledged writes, or more than all writes. */
function uncounted({ changes }, stored) {
  const counts = new Map();
  for (const { work, locales, isAcknowledged } of changes) {
    for (const locale of work.id === undefined ? [] : locales) {
      const key = `${work.id} ${locale}`;
      const { least, most } = counts.get(key) ?? { least: 0, most: 0 };
      counts.set(key, { least: least + (isAcknowledged ? 1 : 0), most: most + 1 });
    }
  }
  return [...counts].flatMap(([key, { least, most }]) => {
    const [documentId, locale] = key.split(' ');
    const count = (stored.get(documentId) ?? []).filter((event) => event.locale === locale).length;
    return count < least || count > most ? [`${key} has ${count} events for ${least} to ${most} writes`] : [];
  });
}
