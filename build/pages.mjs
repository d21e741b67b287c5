/** Bundles the code of `src/pages/`, which runs in browsers, into `dist/pages/`: for each page `NAME.html`, and files whose names have a digest of their
 *  content, so that browsers may cache them for good. `src/http/site/pages.ts` serves them. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** `styles` are style sheets in their order, relative to the repository. */
const pages = [
  {
    name: 'explore',
    title: 'Explore',
    script: 'src/pages/explore/main.tsx',
    styles: ['src/pages/base.css', 'src/pages/explore/explore.css'],
  },
  {
    name: 'console',
    title: 'Console',
    script: 'src/pages/console/main.tsx',
    styles: [
      'src/pages/base.css',
      'src/pages/console/console.css',
      'src/pages/console/document/document.css',
      'src/pages/console/editors/editors.css',
      'src/pages/console/fields/fields.css',
      'src/pages/console/lists/lists.css',
      'src/pages/console/media/media.css',
      'src/pages/console/people/people.css',
    ],
  },
  {
    name: 'docs',
    title: 'API',
    script: 'src/pages/docs/main.tsx',
    styles: ['node_modules/swagger-ui-dist/swagger-ui.css', 'src/pages/base.css', 'src/pages/docs/docs.css'],
  },
];

/** @param {{ root: string, dir: string }} folders the repository, and the folder to write to. @returns the chunks, for their licenses */
export async function buildPages({ root, dir }) {
  mkdirSync(dir, { recursive: true });
  const bundle = await rolldown({
    cwd: root,
    platform: 'browser',
    input: Object.fromEntries(pages.map(({ name, script }) => [name, script])),
  });
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    hashCharacters: 'hex',
  });
  for (const { name, title, styles } of pages) {
    const entry = output.find((chunk) => chunk.isEntry && chunk.name === name);
    const style = styles.map((path) => readFileSync(root + path, 'utf8')).join('\n');
    const styleFile = `${name}-${createHash('sha256').update(style).digest('hex').slice(0, 8)}.css`;
    writeFileSync(`${dir}/${styleFile}`, style);
    writeFileSync(`${dir}/${name}.html`, html({ title, styleFile, script: entry.fileName, chunks: entry.imports }));
  }
  // A fifth smaller in the package than by its own compression.
  for (const name of readdirSync(dir).filter((each) => !each.endsWith('.html'))) {
    writeFileSync(`${dir}/${name}.br`, brotliCompressSync(readFileSync(`${dir}/${name}`)));
    rmSync(`${dir}/${name}`);
  }
  return output;
}

const html = ({ title, styleFile, script, chunks }) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Lectern</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/_pages/${styleFile}">
${chunks.map((file) => `<link rel="modulepreload" href="/_pages/${file}">\n`).join('')}<script type="module" src="/_pages/${script}"></script>
<body>
<noscript>This page needs JavaScript.</noscript>
<div id="page"></div>
</body>
</html>
`;
