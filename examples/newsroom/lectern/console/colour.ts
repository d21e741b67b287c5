/** In the console, colours are chosen with the browser's own control and not typed. */
import type { FieldEditor } from 'lectern/console';

export default {
  customField: 'global::colour',

  mount(element, { value, isReadOnly, id, describedBy, change }) {
    const input = document.createElement('input');
    input.type = 'color';
    input.id = id;
    input.disabled = isReadOnly;
    if (describedBy !== undefined) input.setAttribute('aria-describedby', describedBy);
    // The control always has a colour, so that "none" needs a button.
    const clear = document.createElement('button');
    clear.type = 'button';
    clear.textContent = 'No colour';
    const show = (colour: unknown) => {
      input.value = typeof colour === 'string' ? colour : '#ffffff';
      clear.disabled = isReadOnly || typeof colour !== 'string';
    };
    show(value);
    input.addEventListener('input', () => change(input.value));
    clear.addEventListener('click', () => change(null));
    element.append(input, ' ', clear);
    return { update: (shown) => show(shown.value) };
  },
} satisfies FieldEditor;
