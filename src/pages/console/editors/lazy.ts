/** The editors, whose code is loaded when they are first shown. */
import { later } from '../shell/later.tsx';

export const BlocksEditor = later(() => import('./blocks/blocks-editor.tsx'));
export const MarkdownEditor = later(() => import('./markdown/markdown-editor.tsx'));
export const JsonEditor = later(() => import('./json/json-editor.tsx'));
