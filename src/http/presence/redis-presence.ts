/** Editors in Redis, for several servers together. Each process also knows those that it serves
 *  itself, and uses these when Redis does not reply in time. */
import { isObject, jsonOrUndefined } from '../../text/json.ts';
import type { RedisScripts } from '../rate-limits/redis-scripts.ts';
import { type Editor, Editors, maxEditors, type Presence, presentFor, type SeenEditor } from './presence.ts';

/** A hash for each document: the id of a user, and when and where the user was seen. The time is
 *  that of Redis, as the clocks of servers differ. Returns the others with their times. */
const noteScript = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all = redis.call('HGETALL', KEYS[1])
local others = {}
for index = 1, #all, 2 do
  local seen = tonumber(string.match(all[index + 1], '^%d+')) or 0
  if seen > now or now - seen >= tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], all[index])
  elseif all[index] ~= ARGV[1] then others[#others + 1] = all[index + 1] end
end
if #others < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', now) .. ' ' .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return others`;
const leaveScript = `return redis.call('HDEL', KEYS[1], ARGV[1])`;

export function redisPresence(redis: RedisScripts): Presence {
  const own = new Editors();
  const keyOf = (document: string) => redis.keyOf('lectern:editors', document);
  return {
    async note(document, editor) {
      const alone = own.note(document, editor);
      const values = [String(editor.userId), JSON.stringify(editor), String(presentFor), String(maxEditors)];
      const reply = await redis.evaluate(noteScript, keyOf(document), ...values);
      if (!Array.isArray(reply)) return alone;
      return reply.flatMap((text) => readEditor(String(text))).sort((a, b) => b.seenAt - a.seenAt);
    },
    leave(document, userId) {
      own.leave(document, userId);
      void redis.evaluate(leaveScript, keyOf(document), String(userId));
    },
    close: () => own.close(),
  };
}

function readEditor(text: string): SeenEditor | [] {
  const [, seenAt = '', json = ''] = /^(\d+) (.*)$/s.exec(text) ?? [];
  const editor = jsonOrUndefined(json);
  return isEditor(editor) ? { ...editor, seenAt: Number(seenAt) } : [];
}

/** Whoever else writes into Redis. */
const isEditor = (value: unknown): value is Editor =>
  isObject(value) &&
  typeof value.userId === 'number' &&
  typeof value.username === 'string' &&
  [value.locale, value.field].every((each) => each === null || typeof each === 'string');
