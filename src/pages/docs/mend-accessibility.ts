/** What Swagger UI leaves out for screen readers and keyboards: names of its fields, and a way to scroll its blocks of code. */
export function mendAccessibility(root: Element): void {
  // Swagger UI draws again and again, and keeps attributes that it does not know.
  new MutationObserver(() => {
    for (const row of root.querySelectorAll<HTMLElement>('tr[data-param-name]')) {
      for (const field of row.querySelectorAll('select, input, textarea')) name(field, row.dataset.paramName ?? '');
    }
    for (const field of root.querySelectorAll('.body-param textarea')) name(field, 'Request body');
    for (const field of root.querySelectorAll('.content-type')) name(field, 'Media type');
    for (const block of root.querySelectorAll('pre.microlight:not([tabindex])')) block.setAttribute('tabindex', '0');
  }).observe(root, { childList: true, subtree: true });
}

function name(field: Element, text: string): void {
  if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', text);
}
