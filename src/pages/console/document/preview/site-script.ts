/** Runs in the page of the site, which asks for it by `previewReady`: finds the texts that say where
 *  they come from, outlines them, and reports the one that is double-clicked. Its source text is
 *  what is sent, so that it uses nothing that is outside of it. */
export function siteScript(parentOrigin: string): void {
  const page = window as typeof window & {
    lecternPreview?: () => void;
    // The settings that sites have for Strapi's script.
    STRAPI_HIGHLIGHT_HOVER_COLOR?: string;
    STRAPI_DISABLE_STEGA_DECODING?: boolean;
  };
  // A page asks again whenever it is drawn anew.
  page.lecternPreview?.();
  const mark = 'data-strapi-source';
  const digits = '\u200b\u200c\u200d\ufeff';

  /** A text without what it says about its source; undefined if it says nothing. */
  const decoded = (text: string) => {
    let source: string | undefined;
    const clean = text.replace(/(?:\u200b|\u200c|\u200d|\ufeff){8,}/g, (run) => {
      // Invisible characters of the text itself may stand before it.
      const start = run.length % 4;
      let json = '';
      for (let at = start; at < run.length; at += 4)
        json += String.fromCharCode([...run.slice(at, at + 4)].reduce((code, digit) => code * 4 + digits.indexOf(digit), 0));
      try {
        const found: unknown = JSON.parse(json.split('\0').find(Boolean) ?? '').strapiSource;
        if (typeof found !== 'string') return run;
        source ??= found;
        return run.slice(0, start);
      } catch {
        return run;
      }
    });
    return source === undefined ? undefined : { source, clean };
  };

  const readText = (node: Text) => {
    const element = node.parentElement;
    // What frameworks read from scripts stays as it is.
    if (element === null || element.closest('script, style, noscript, textarea') !== null) return;
    const found = decoded(node.data);
    if (found === undefined) return;
    node.data = found.clean;
    element.setAttribute(mark, found.source);
  };
  const readMedia = (element: Element) => {
    for (const name of ['alt', 'src']) {
      const found = decoded(element.getAttribute(name) ?? '');
      if (found === undefined) continue;
      element.setAttribute(name, found.clean);
      element.setAttribute(mark, found.source);
    }
  };
  const readTree = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = root; node !== null; node = walker.nextNode()) {
      if (node instanceof Text) readText(node);
      else if (node instanceof Element && node.matches('img, video, audio')) readMedia(node);
    }
  };
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'childList') addedNodes.forEach(readTree);
      else readTree(target);
    }
  });
  if (page.STRAPI_DISABLE_STEGA_DECODING !== true) {
    readTree(document.documentElement);
    const attributeFilter = ['src', 'alt'];
    observer.observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributeFilter });
  }

  const style = new CSSStyleSheet();
  const colour = page.STRAPI_HIGHLIGHT_HOVER_COLOR ?? '#0b6e5f';
  const innermost = `[${mark}]:hover:not(:has([${mark}]:hover))`;
  style.replaceSync(`${innermost} { outline: 2px solid ${colour}; outline-offset: 2px; cursor: pointer; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];

  const within = ({ target }: Event, selector: string) => (target instanceof Element ? target.closest<HTMLElement>(selector) : null);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();
  const options = { capture: true, signal: ended.signal };
  // The first click of two must not follow a link: it waits for the second one.
  const click = (event: MouseEvent) => {
    const isPlain = event.isTrusted && event.detail > 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = within(event, 'a[href], button');
    if (!isPlain || link === null || within(event, `[${mark}]`) === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    clearTimeout(waiting);
    if (event.detail === 1) waiting = setTimeout(() => link.click(), 300);
  };
  const choose = (event: MouseEvent) => {
    const path = within(event, `[${mark}]`)?.getAttribute(mark);
    if (path === null || path === undefined) return;
    clearTimeout(waiting);
    event.preventDefault();
    event.stopImmediatePropagation();
    getSelection()?.removeAllRanges();
    parent.postMessage({ type: 'strapiFieldFocusIntent', payload: { path } }, parentOrigin);
  };
  addEventListener('click', click, options);
  addEventListener('dblclick', choose, options);
  // The next page may not listen to messages.
  addEventListener('pagehide', () => parent.postMessage({ type: 'lecternPreviewLeft' }, parentOrigin), options);

  page.lecternPreview = () => {
    observer.disconnect();
    ended.abort();
    clearTimeout(waiting);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== style);
  };
}
