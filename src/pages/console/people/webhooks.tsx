/** Webhooks, and the messages that were sent to them. */
import { useState } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say, type WordKey } from '../words/say.ts';
import { Failed } from './failed.tsx';
import { type ManagedMessage, type ManagedWebhook, manage, useLoaded } from './manage.ts';

export function Webhooks() {
  const { body, failure, reload } = useLoaded('', () => manage<readonly ManagedWebhook[]>('GET', '/webhooks'));
  const [opened, setOpened] = useState<string>();
  const webhooks = body?.data;
  const webhook = webhooks?.find(({ id }) => id === opened);
  return (
    <section aria-label={say('people.webhooks')}>
      {failure !== undefined && <Failed failure={failure} retry={reload} />}
      {webhooks === undefined && failure === undefined && <Skeleton />}
      {webhooks?.length === 0 && (
        <div class="people-empty">
          <p>{say('people.noWebhooks')}</p>
          <p>
            <code>lectern webhook add site --url https://… --events entry.publish</code>
          </p>
        </div>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <table class="people-list">
          <thead>
            <tr>
              <th scope="col">{say('people.name')}</th>
              <th scope="col">{say('people.events')}</th>
              <th scope="col">{say('people.messages')}</th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((each) => (
              <tr key={each.id}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => setOpened(each.id)}>
                    {each.name}
                  </button>
                  <span class="people-second">{each.url}</span>
                </th>
                <td data-label={say('people.events')}>
                  {each.events.join(', ')}
                  <span class="people-second">{each.types === null ? say('people.allTypes') : each.types.join(', ')}</span>
                </td>
                <td data-label={say('people.messages')}>
                  <Counts messages={each.messages} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {webhook !== undefined && <Messages webhook={webhook} changed={reload} close={() => setOpened(undefined)} />}
    </section>
  );
}

const states: Readonly<Record<ManagedMessage['state'], readonly [label: WordKey, chip: string]>> = {
  delivered: ['people.delivered', 'chip good'],
  waiting: ['people.waiting', 'chip'],
  failed: ['people.failed', 'chip warn'],
};

function Counts({ messages }: Pick<ManagedWebhook, 'messages'>) {
  const shown = (['failed', 'waiting', 'delivered'] as const).filter((state) => messages[state] > 0);
  if (shown.length === 0) return <span class="soft">{say('people.noMessages')}</span>;
  return (
    <span class="people-chips">
      {shown.map((state) => (
        <span key={state} class={states[state][1]}>
          {messages[state]} {say(states[state][0])}
        </span>
      ))}
    </span>
  );
}

interface MessagesProps {
  readonly webhook: ManagedWebhook;
  readonly changed: () => Promise<void>;
  readonly close: () => void;
}

function Messages({ webhook, changed, close }: MessagesProps) {
  const path = `/webhooks/${encodeURIComponent(webhook.id)}`;
  const { body, failure, reload } = useLoaded(path, () => manage<readonly ManagedMessage[]>('GET', `${path}/deliveries`));
  const retry = async (which: string) => {
    const answer = await manage<{ readonly count: number }>('POST', `${path}${which}/retry`);
    if (!answer.ok) return notifyFailure(answer.failure);
    await Promise.all([reload(), changed()]);
    notify({ text: say('people.sentAgain') });
  };
  const messages = body?.data;
  return (
    <Dialog title={webhook.name} close={close} kind="wide">
      {failure !== undefined && <Failed failure={failure} retry={reload} />}
      {messages === undefined && failure === undefined && <Skeleton />}
      {messages?.length === 0 && <p class="people-empty">{say('people.noMessages')}</p>}
      {webhook.messages.failed > 0 && (
        <button type="button" onClick={() => void retry('')}>
          {say('people.retryAll')}
        </button>
      )}
      {messages !== undefined && messages.length > 0 && (
        <table class="people-list">
          <thead>
            <tr>
              <th scope="col">{say('people.event')}</th>
              <th scope="col">{say('people.state')}</th>
              <th scope="col">{say('people.response')}</th>
              <th scope="col">
                <span class="unseen">{say('people.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {messages.map((message) => (
              <tr key={message.id}>
                <th scope="row">
                  {message.event}
                  <span class="people-second">
                    {message.documentId} · <Ago at={message.updatedAt} />
                  </span>
                </th>
                <td data-label={say('people.state')}>
                  <span class={states[message.state][1]}>{say(states[message.state][0])}</span>{' '}
                  <span class="people-second">{say('people.attempts', { count: message.attempts })}</span>
                </td>
                <td data-label={say('people.response')}>
                  {message.status} <span class="people-second people-response">{message.response}</span>
                </td>
                <td class="people-buttons">
                  <button
                    type="button"
                    aria-label={say('people.retryOf', { event: message.event })}
                    onClick={() => void retry(`/deliveries/${message.id}`)}
                  >
                    {say('people.retry')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
