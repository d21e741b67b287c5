/** The few signs of the controls. They are decoration: what a button does is said in words. */

const paths = {
  grip: 'M6 3.5h.01M6 8h.01M6 12.5h.01M10 3.5h.01M10 8h.01M10 12.5h.01',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  remove: 'M4 4l8 8M12 4l-8 8',
  fold: 'M6 4l4 4-4 4',
  add: 'M8 3v10M3 8h10',
  open: 'M9 3h4v4M13 3L7 9M11 9v4H3V5h4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5L14 14',
} as const;

export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
