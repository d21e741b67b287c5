/** `Firefox on Linux`: the name in a user's list of sessions. Browsers also send names of related
 *  browsers, so the specific ones come first. */
const browsers = ['Edg', 'OPR', 'SamsungBrowser', 'Vivaldi', 'Firefox', 'FxiOS', 'CriOS', 'Chromium', 'Chrome', 'Safari'] as const;
const systems = ['Windows', 'iPhone', 'iPad', 'Android', 'Mac OS X', 'CrOS', 'Linux'] as const;

const shownAs: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  SamsungBrowser: 'Samsung Internet',
  FxiOS: 'Firefox',
  CriOS: 'Chrome',
  Chromium: 'Chrome',
  iPhone: 'iOS',
  iPad: 'iOS',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
};

export function deviceName(userAgent: string): string | undefined {
  const start = userAgent.slice(0, 1024);
  const found = [browsers, systems].flatMap((names) => names.find((name) => start.includes(name)) ?? []);
  return found.length === 0 ? undefined : found.map((name) => shownAs[name] ?? name).join(' on ');
}
