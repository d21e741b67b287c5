/** The pictures of buttons: lines in a square of 16. */

const paths = {
  bold: 'M4.5 2.5h4a2.7 2.7 0 0 1 0 5.4h-4zM4.5 7.9h4.8a2.8 2.8 0 0 1 0 5.6H4.5z',
  italic: 'M6.5 2.5h6M3.5 13.5h6M9.8 2.5l-3.6 11',
  underline: 'M4 2v5a4 4 0 0 0 8 0V2M3.5 14h9',
  strikethrough:
    'M2 8h12M11.5 4.6C11 3.2 9.7 2.5 8 2.5c-2 0-3.5 1-3.5 2.7 0 1.3.9 2.1 2.5 2.8M4.3 11c.5 1.6 1.9 2.5 3.8 2.5 2.2 0 3.7-1.1 3.7-2.9 0-1-.4-1.7-1.2-2.3',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  link: 'M6.5 9.5l3-3M7.2 4.6l1.4-1.4a2.97 2.97 0 0 1 4.2 4.2l-1.4 1.4M8.8 11.4l-1.4 1.4a2.97 2.97 0 0 1-4.2-4.2l1.4-1.4',
  unordered: 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  ordered: 'M6.5 4H14M6.5 8H14M6.5 12H14M2 3l1-.500V5.5M2 10.6c0-.700 1.7-.700 1.7.200 0 .700-1.7 1.5-1.7 2.4h1.9',
  nest: 'M7 4h7M7 8h7M7 12h7M2 5.5 4.5 8 2 10.5',
  unnest: 'M7 4h7M7 8h7M7 12h7M4.5 5.5 2 8l2.5 2.5',
  image: 'M2 3h12v10H2zM2 11l3.5-3.5L9 11l2-2 3 3M10.5 6h.01',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  remove: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M7 7v4M9 7v4',
  heading: 'M4 2.5v11M12 2.5v11M4 8h8',
  quote: 'M3 3v10M6.5 5H14M6.5 8H14M6.5 11H11',
  preview: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  format: 'M2 4h12M5 8h9M5 12h6',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="editor-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
