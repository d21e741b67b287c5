import { describe, expect, it } from 'vitest';
import { checkTitle, isFileName, storedName } from './file-name.ts';

const stored = async (name: string, type = 'text/plain', title?: string) => {
  const { hash, ...rest } = await storedName(name, title, type);
  expect(hash).toMatch(/_[0-9a-f]{10}$/);
  return { ...rest, hash: hash.slice(0, -11) };
};

describe('names that no file can have', () => {
  it.each([
    ...['', '.', '..', '../../up.txt', '..\\up.txt', 'a/b.txt', '/etc/passwd', 'C:x', 'a:stream', 'a*', 'a?', 'a"b', '<a>', 'a|b'],
    ...['a\0.png', '\0', 'a\n.txt', 'a\r\nSet-Cookie: a=b', 'a\x7f', 'a\x85', '\x1b[2J'],
    ...['CON', 'nul', 'Aux', 'com1', 'LPT9', 'con.txt', 'NUL.tar.gz'],
    ...[
      'gpj.\u202eexe',
      '\u2066a\u2069',
      'a\u200f.txt',
      'a\u200b.txt',
      '\ufeffa',
      'a\u2028b',
      'a\u00ad.txt',
      'a\ufffd',
      'a\ud800',
      'a\u2060',
    ],
    'x'.repeat(256),
    'x'.repeat(5000),
    // One character as it is sent, three as it is stored.
    '\ufb2c'.repeat(255),
  ])('%j', (name) => {
    expect(isFileName(name)).toBe(false);
  });

  it.each([
    'a',
    '.htaccess',
    'console.log',
    'com',
    'a b',
    "it's",
    '100%',
    'Été à Paris (1).PNG',
    '日本語.txt',
    '❤️.png',
    '👨‍👩‍👧.jpg',
    'שלום.txt',
    '...',
    'x'.repeat(255),
  ])('%j is none of them', (name) => {
    expect(isFileName(name)).toBe(true);
  });
});

describe('titles', () => {
  it.each(['What is this?', 'a/b', '../../up.txt', 'con', ''])('%j is one', (title) => {
    expect(() => checkTitle(title)).not.toThrow();
  });
  it.each(['gpj.\u202eexe', 'a\0', 'x'.repeat(256)])('%j is none', (title) => {
    expect(() => checkTitle(title)).toThrow('File name contains invalid characters');
  });
});

it('neither is stored', async () => {
  await expect(storedName('../up.txt', undefined, 'text/plain')).rejects.toThrow('File name contains invalid characters');
  await expect(storedName('a.txt', 'a\0', 'text/plain')).rejects.toThrow('File name contains invalid characters');
});

describe('what a file is stored as', () => {
  it.each([
    ['red.png', 'red', '.png'],
    ['Été à Paris (1).PNG', 'Ete_a_Paris_1', '.PNG'],
    ['my file_name-v2 & co.txt', 'my_file_name_v2_and_co', '.txt'],
    ['a.tar.gz.txt', 'a_tar_gz', '.txt'],
    ['README', 'README', '.txt'],
    ["it's the APIs.txt", 'it_s_the_AP_Is', '.txt'],
    ['日本語.txt', '', '.txt'],
    ['.htaccess', 'htaccess', '.txt'],
    ['a.', 'a', '.'],
    ['дай.txt', 'daj', '.txt'],
    ['fooBAR123.txt', 'foo_BAR_123', '.txt'],
    ['a!b$c^d.txt', 'a_b_c_d', '.txt'],
    ['a.b c', 'a', '.txt'],
    ['a.b%2fc', 'a', '.txt'],
    ['a.b#c', 'a', '.txt'],
    ['a.日本', 'a', '.日本'],
    [`a.${'x'.repeat(200)}`, 'a', `.${'x'.repeat(200)}`],
  ])('%s', async (name, hash, ext) => {
    expect(await stored(name)).toEqual({ name, hash, ext });
  });

  it('its extension is that of the type where the name has none', async () => {
    expect(await stored('a', 'image/jpeg')).toMatchObject({ ext: '.jpeg' });
    expect(await stored('a', 'application/pdf')).toMatchObject({ ext: '.pdf' });
    expect(await stored('a', 'application/x-nobody-knows')).toMatchObject({ ext: '' });
  });

  it('its title is its name, and part of the key', async () => {
    expect(await stored('red.png', 'image/png', 'custom.png')).toEqual({ name: 'custom.png', hash: 'custom', ext: '.png' });
    expect(await stored('red.png', 'image/png', 'custom.jpg')).toEqual({ name: 'custom.jpg', hash: 'custom_jpg', ext: '.png' });
    expect(await stored('red.png', 'image/png', '../../up')).toEqual({ name: '../../up', hash: 'up', ext: '.png' });
    expect(await stored('red.png', 'image/png', '')).toMatchObject({ name: 'red.png' });
  });

  it('its name is composed (NFC)', async () => {
    expect(await stored('E\u0301te\u0301.txt')).toMatchObject({ name: 'Été.txt' });
  });

  it('is never the same', async () => {
    const hashes = await Promise.all(Array.from({ length: 100 }, async () => (await storedName('a.txt', undefined, 'text/plain')).hash));
    expect(new Set(hashes).size).toBe(100);
  });
});
