/** The value of a cookie in the header `Cookie`; undefined if it is not there. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const cookies = header?.split(';').map((each) => each.trim()) ?? [];
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}
