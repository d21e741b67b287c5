/** Texts that browsers or shells run. They have no signature: their first characters decide. */

const html =
  /^<(?:!doctype\s+html|(?:html|head|body|script|iframe|style|title|table|div|font|h1|br|p|a|b|form|img|meta|link|base|object|embed|video|audio|details|template)(?=[\s/>]|$))/i;
const svg = /^<(?:!doctype\s+svg|(?:[\w.-]+:)?svg(?=[\s/>]|$))/i;
/** Text that may precede the first element. */
const before = /^(?:<!--.*?(?:-->|$)|<\?.*?(?:\?>|$)|<!doctype[^>[]*(?:\[.*?\]\s*)?(?:>|$))/is;

/** The media type of a text that begins like a script, HTML, SVG or XML, or undefined. The elements
 *  are those of WHATWG MIME Sniffing, section 7.1, and more: `<img onerror>` is as dangerous. */
export function markupType(head: Uint8Array): string | undefined {
  const text = decoded(head);
  if (text.startsWith('#!')) return 'text/x-shellscript';
  if (/^\s*<\?(?:php\s|=)/i.test(text)) return 'application/x-httpd-php';
  const isXml = /^\s*<\?xml\s/i.test(text);
  let rest = text.trimStart();
  while (rest !== '') {
    if (svg.test(rest)) return 'image/svg+xml';
    if (html.test(rest)) return isXml ? 'application/xhtml+xml' : 'text/html';
    const passed = before.exec(rest);
    if (passed === null) break;
    rest = rest.slice(passed[0].length).trimStart();
  }
  if (isXml) return 'application/xml';
  // Browsers take a text with only a comment for HTML.
  return text.trimStart().startsWith('<!--') ? 'text/html' : undefined;
}

/** UTF-16 is recognised by its byte order mark, as in browsers; in others, markup is ASCII. */
function decoded(head: Uint8Array): string {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(head);
  return new TextDecoder().decode(head);
}
