/** CodeMirror writes its styles into a `style` element, which the page's policy forbids. In a shadow
 *  root it uses a constructed style sheet, which is allowed; so the document gets one as well. */
import { StyleModule } from 'style-mod';

let isAdopted = false;

export function adoptStyles(): void {
  if (isAdopted) return;
  isAdopted = true;
  // Looks like a shadow root. What style-mod notes in it, under a symbol of its own, is the sheet.
  const root = { ownerDocument: document, adoptedStyleSheets: [] };
  StyleModule.mount(root as unknown as ShadowRoot, []);
  for (const symbol of Object.getOwnPropertySymbols(root)) {
    Object.defineProperty(document, symbol, { value: (root as unknown as Record<symbol, unknown>)[symbol] });
  }
}
