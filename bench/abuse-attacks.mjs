/** The attacks of `abuse.mjs`. Each is bounded in requests and in time, and uses its own IP addresses. */
import { source } from './source.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

/** An attack waits at most this many milliseconds for a response. */
const patience = 60_000;
const attacker = '127.66.0.1';

/** The IP address of request number `index`. */
const own = (index) => `127.67.${index >> 7}.${1 + (index & 127)}`;

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Sends `count` requests at once and summarises the responses. */
async function atOnce(count, make) {
  const responses = await Promise.all(many(count, make));
  return tally(responses);
}

/** Sends requests one after another on each of several connections, for some seconds, and summarises the responses. */
async function endlessly(connections, seconds, make) {
  const responses = [];
  const until = performance.now() + seconds * 1000;
  const loop = async () => {
    while (performance.now() < until) responses.push(await make(responses.length));
  };
  await Promise.all(many(connections, loop));
  return tally(responses);
}

function tally(responses) {
  const counts = new Map();
  for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

const text = (count, first = 0) =>
  many(count, (index) => `filters[$or][${index}][body][$containsi]=nothing like this ${first + index}`).join('&');

/** `aim`: the longest wait for a read that is good; otherwise that of the option `--most`. Milliseconds.
 *  @type {{name: string, engine?: 'sqlite', aim?: number, run: (server: object) => Promise<string>}[]} */
export const attacks = [
  {
    name: 'nothing at all, for ten seconds',
    run: () => new Promise((resolve) => setTimeout(resolve, 10_000, '')),
  },
  {
    name: '0b: ten GETs with 200 $containsi over 30,000 notes',
    run: ({ ask }) => atOnce(10, () => ask({ path: `/api/notes?${text(200)}`, from: attacker, patience })),
  },
  {
    name: '0b: ten GETs with as many $containsi as are allowed',
    run: ({ ask }) => atOnce(10, () => ask({ path: `/api/notes?${text(40)}&sort=body`, from: attacker, patience })),
  },
  {
    name: '0b: eight connections of fifty $containsi',
    aim: 250,
    run: ({ ask }) =>
      endlessly(8, 12, (sent) => ask({ path: `/api/notes?${text(50, sent * 50)}&sort=body`, from: attacker, patience, drop: true })),
  },
  {
    name: '0b: a pattern of 16 KB against texts of 1 MB',
    run: ({ ask }) =>
      atOnce(10, () => ask({ path: `/api/giants?filters[body][$contains]=${'a'.repeat(16_000)}b&fields=id`, from: attacker, patience })),
  },
  {
    name: '0b: a pattern of 1 KB against texts of 1 MB, 50 times',
    run: ({ ask }) => {
      const conditions = many(50, (index) => `filters[$or][${index}][body][$contains]=${'a'.repeat(1000)}b`).join('&');
      return atOnce(10, () => ask({ path: `/api/giants?${conditions}&fields=id`, from: attacker, patience }));
    },
  },
  {
    name: '0c: 60,000 components, then another body',
    async run({ ask }) {
      const made = await ask({
        method: 'POST',
        path: '/api/kits',
        body: { data: { parts: many(60_000, () => ({})) } },
        from: attacker,
        patience,
      });
      const smaller = await ask({
        method: 'POST',
        path: '/api/kits',
        body: { data: { parts: many(900, () => ({})) } },
        from: attacker,
        patience,
      });
      const { documentId } = JSON.parse(made.status < 300 ? made.text : smaller.text).data;
      const changed = await ask({
        method: 'PATCH',
        path: `/api/kits/${documentId}`,
        body: { data: { parts: [{}] } },
        from: attacker,
        patience,
      });
      return tally([made, smaller, changed]);
    },
  },
  {
    name: '0d: 20,000 components with a unique attribute',
    run: ({ ask }) =>
      atOnce(3, (round) => {
        const codes = many(20_000, (index) => ({ code: `c${round}-${index}` }));
        return ask({ method: 'POST', path: '/api/kits', body: { data: { codes } }, from: attacker, patience });
      }),
  },
  {
    name: '0d: 900 components with a unique attribute, 20 times at once',
    run: ({ ask }) =>
      atOnce(20, (round) => {
        const codes = many(900, (index) => ({ code: `d${round}-${index}` }));
        return ask({ method: 'POST', path: '/api/kits', body: { data: { codes } }, from: attacker, patience });
      }),
  },
  {
    name: '0e: 9,500 refreshes, then the first token again',
    async run({ ask, signIn }) {
      const { refreshToken: first } = await signIn(0, attacker);
      if (first === undefined) return 'no refresh tokens here';
      let latest = first;
      let refreshed = 0;
      // Each request has its own IP address, as if there were no rate limit.
      for (; refreshed < 9500; refreshed++) {
        const from = `127.${100 + (refreshed >> 14)}.${(refreshed >> 7) & 127}.${1 + (refreshed & 127)}`;
        const result = await ask({ method: 'POST', path: '/api/auth/refresh', body: { refreshToken: latest }, from, patience });
        if (result.status !== 200) break;
        latest = JSON.parse(result.text).refreshToken ?? latest;
      }
      const again = await ask({ method: 'POST', path: '/api/auth/refresh', body: { refreshToken: first }, from: '127.99.0.1', patience });
      return `${refreshed} refreshes, the first token: ${again.status}`;
    },
  },
  {
    name: '0f: 25 tags with the same 400 pages of 500 KB',
    run: ({ ask }) => atOnce(6, () => ask({ path: '/api/tags?populate=pages', from: attacker, patience, drop: true })),
  },
  {
    name: '0g: a file that the caller may not see, attached',
    async run({ ask }) {
      const responses = [];
      for (const id of [1, 999_999]) {
        const path = '/api/notes?populate=files';
        responses.push(await ask({ method: 'POST', path, body: { data: { title: 'x', files: [id] } }, from: attacker, patience }));
      }
      const leaked = responses.some((result) => result.text.includes('secret-file'));
      return `${tally(responses)}, ${leaked ? 'THE FILE IS SHOWN' : 'not shown'}`;
    },
  },
  {
    name: '0h: a body of 1 MB with 500,000 problems, six at once',
    async run({ ask }) {
      const rawBody = `{"data":{"parts":[${many(480_000, () => '1').join(',')}]}}`;
      const responses = await Promise.all(many(6, () => ask({ method: 'POST', path: '/api/kits', rawBody, from: attacker, patience })));
      return `${tally(responses)}, ${Math.max(...responses.map((result) => result.text.length)).toLocaleString('en')} characters at most`;
    },
  },
  {
    name: '0i: 200 responses of 400 KB under Idempotency-Key',
    async run({ ask, size }) {
      const before = size();
      const responses = [];
      for (let index = 0; index < 200; index++) {
        const headers = { 'Idempotency-Key': `key-${index}` };
        const body = { data: { title: 'x', body: `${index}`.padEnd(400_000, 'y') } };
        responses.push(await ask({ method: 'POST', path: '/api/pages', body, headers, from: attacker, patience, drop: true }));
      }
      return `${tally(responses)}, ${before === undefined ? 'size not known' : `the file grew by ${Math.round((size() - before) / 1e6)} MB for 80 MB sent`}`;
    },
  },
  {
    name: '0j: other writers on a file in journal mode delete',
    engine: 'sqlite',
    journal: 'delete',
    async run({ ask, database, signIn }) {
      const { jwt } = await signIn(1, attacker);
      const headers = { Authorization: `Bearer ${jwt}` };
      const writer = new BetterSqlite3(database, { timeout: 5000 });
      const touch = writer.prepare('UPDATE things SET updated_at = updated_at + 1');
      const timer = setInterval(() => touch.run(), 25);
      const responses = [];
      try {
        for (let index = 0; index < 200; index++) {
          responses.push(await ask({ path: '/api/users-permissions/roles/1', headers, from: attacker, patience }));
          const key = { 'Idempotency-Key': `journal-${index}` };
          responses.push(
            await ask({ method: 'POST', path: '/api/things', body: { data: { name: 'x' } }, headers: key, from: attacker, patience }),
          );
        }
      } finally {
        clearInterval(timer);
        writer.close();
      }
      return tally(responses);
    },
  },
  {
    name: '0k: 30 POSTs with 49 passwords',
    run: ({ ask }) =>
      atOnce(30, () => {
        const data = Object.fromEntries(many(49, (index) => [`secret${index}`, `Password-${index}`]));
        return ask({ method: 'POST', path: '/api/vaults', body: { data }, from: attacker, patience });
      }),
  },
  {
    name: '0k: 200 POSTs with five passwords',
    run: ({ ask }) =>
      atOnce(200, () => {
        const data = Object.fromEntries(many(5, (index) => [`secret${index}`, `Password-${index}`]));
        return ask({ method: 'POST', path: '/api/vaults', body: { data }, from: attacker, patience });
      }),
  },
  {
    name: '1a: 40 callers request 30 MB each, and read slowly',
    run: ({ ask }) =>
      atOnce(40, (index) =>
        ask({
          path: `/api/pages?pagination[pageSize]=60&pagination[page]=${1 + (index % 6)}`,
          from: own(index),
          patience: 8000,
          stall: true,
        }),
      ),
  },
  {
    name: '1b: 40 callers search 30,000 notes, each for something else',
    run: ({ ask }) =>
      atOnce(40, (index) => ask({ path: `/api/notes?${text(20 + index, 40 * index)}&sort=body`, from: own(index), patience })),
  },
  {
    name: '1c: 40 callers write 4,500 components each',
    run: ({ ask }) =>
      atOnce(40, (index) => {
        const body = { data: { parts: many(4500, () => ({ label: 'x' })) } };
        return ask({ method: 'POST', path: '/api/kits', body, from: own(index), patience });
      }),
  },
  {
    name: '1d: 40 callers create, and populate with a search',
    run: ({ ask }) =>
      atOnce(40, (index) => {
        const path = `/api/tags?populate[pages][sort]=body&${many(19, (each) => `populate[pages][filters][$or][${each}][body][$containsi]=no ${each}`).join('&')}`;
        return ask({
          method: 'POST',
          path,
          body: { data: { name: 'x', pages: many(400, (each) => each + 1) } },
          from: own(index),
          patience,
        });
      }),
  },
  {
    name: '1e: 600 connections whose body never comes',
    run: ({ ask }) =>
      atOnce(600, (index) =>
        ask({
          path: '/api/things',
          headers: { 'Content-Type': 'application/json', 'Content-Length': 10 },
          method: 'POST',
          hang: true,
          from: own(index),
          patience: 8000,
        }),
      ),
  },
];
