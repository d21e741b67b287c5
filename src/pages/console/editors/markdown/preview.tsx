/** Markdown as it will roughly look. It is drawn from the syntax tree of the editor: parsed in
 *  steps that are bounded in time, and only what has changed. Elements are made one by one, with the
 *  attributes named here and no others; HTML is shown as the text that it is. */
import type { SyntaxNode, Tree } from '@lezer/common';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { say } from '../../words/say.ts';
import { isSafeUrl } from '../shared/safe-url.ts';
import { decoded, decodedReference } from './inline-text.ts';
import { isTight, type LinkParts, linkParts, linkTargets, nameOfLink, plainText, tableCells } from './markdown-tree.ts';

interface PreviewProps {
  readonly tree: Tree;
  readonly text: string;
  /** Whether an image may be loaded: pages load none from elsewhere. */
  readonly isOwnPicture: (url: string) => boolean;
}

/** Longer texts are cut: nobody reads more of a preview, and drawing it would be felt. */
export const maxPreviewLength = 50_000;
/** Levels of quotes and lists; deeper ones are left out. */
const maxDepth = 60;

export function Preview({ tree, text, isOwnPicture }: PreviewProps) {
  const content = useMemo(() => previewOf(tree, text, isOwnPicture), [tree, text, isOwnPicture]);
  return (
    <section class="markdown-preview" aria-label={say('editors.preview')} dir="auto">
      {text.trim() === '' ? <p class="soft">{say('editors.previewEmpty')}</p> : content}
      {text.length > maxPreviewLength && <p class="soft">{say('editors.previewTooLong', { count: maxPreviewLength })}</p>}
    </section>
  );
}

export function previewOf(tree: Tree, text: string, isOwnPicture: (url: string) => boolean): ComponentChildren {
  return blocksOf(tree.topNode, { text, targets: linkTargets(tree, text), isOwnPicture, depth: 0 });
}

interface Context {
  readonly text: string;
  /** URLs by the names of their definitions. */
  readonly targets: ReadonlyMap<string, string>;
  readonly isOwnPicture: PreviewProps['isOwnPicture'];
  readonly depth: number;
}

const deeper = (context: Context): Context => ({ ...context, depth: context.depth + 1 });
const slice = ({ text }: Context, { from, to }: { readonly from: number; readonly to: number }): string => text.slice(from, to);

function children(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

/** The blocks in a document, a quote or an item. */
function blocksOf(node: SyntaxNode, context: Context): ComponentChildren {
  if (context.depth > maxDepth) return '…';
  return children(node)
    .filter(({ from }) => from < maxPreviewLength)
    .map((child) => <Block key={child.from} node={child} context={deeper(context)} />);
}

type Heading = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

function Block({ node, context }: { readonly node: SyntaxNode; readonly context: Context }): JSX.Element | null {
  const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1];
  if (level !== undefined) {
    const Tag = `h${level}` as Heading;
    return <Tag dir="auto">{inlineOf(node, context)}</Tag>;
  }
  switch (node.name) {
    case 'Paragraph':
      return <p dir="auto">{inlineOf(node, context)}</p>;
    case 'Blockquote':
      return <blockquote>{blocksOf(node, context)}</blockquote>;
    case 'BulletList':
      return <ul>{itemsOf(node, context)}</ul>;
    case 'OrderedList': {
      const start = Number.parseInt(slice(context, node), 10);
      return <ol start={Number.isNaN(start) ? 1 : start}>{itemsOf(node, context)}</ol>;
    }
    case 'FencedCode':
    case 'CodeBlock': {
      const lines = children(node).filter(({ name }) => name === 'CodeText');
      return (
        <pre dir="ltr">
          <code>{lines.map((line) => slice(context, line)).join('')}</code>
        </pre>
      );
    }
    case 'HorizontalRule':
      return <hr />;
    case 'Table':
      return (
        <div class="markdown-table">
          <table>
            <tbody>
              {children(node)
                .filter(({ name }) => name === 'TableHeader' || name === 'TableRow')
                .map((row) => (
                  <tr key={row.from}>
                    {tableCells(row).map((cell, index) => (
                      <td key={index}>{cell === undefined ? null : inlineOf(cell, context)}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      );
    case 'HTMLBlock':
    case 'CommentBlock':
    case 'ProcessingInstructionBlock':
      return <pre class="markdown-html">{slice(context, node)}</pre>;
    default:
      return null;
  }
}

/** In a list without empty lines, the paragraph of an item is its text. */
function itemsOf(list: SyntaxNode, context: Context): ComponentChildren {
  const tight = isTight(list, context.text);
  return children(list)
    .filter(({ name }) => name === 'ListItem')
    .map((item) => (
      <li key={item.from} dir="auto">
        {context.depth > maxDepth
          ? '…'
          : children(item).map((child) =>
              child.name === 'Task' || (child.name === 'Paragraph' && tight) ? (
                inlineOf(child, context)
              ) : (
                <Block key={child.from} node={child} context={deeper(context)} />
              ),
            )}
      </li>
    ));
}

/** The text of a node, with what is in it. */
function inlineOf(node: SyntaxNode, context: Context, range: { readonly from: number; readonly to: number } = node): ComponentChildren {
  if (context.depth > maxDepth) return slice(context, range);
  const parts: ComponentChildren[] = [];
  let position = range.from;
  for (const child of children(node)) {
    if (child.from < range.from || child.to > range.to) continue;
    parts.push(slice(context, { from: position, to: child.from }));
    parts.push(<Inline key={child.from} node={child} context={deeper(context)} />);
    position = child.to;
  }
  parts.push(slice(context, { from: position, to: range.to }));
  return parts;
}

function Inline({ node, context }: { readonly node: SyntaxNode; readonly context: Context }): JSX.Element | null {
  const own = slice(context, node);
  switch (node.name) {
    case 'StrongEmphasis':
      return <strong>{inlineOf(node, context)}</strong>;
    case 'Emphasis':
      return <em>{inlineOf(node, context)}</em>;
    case 'Strikethrough':
      return <del>{inlineOf(node, context)}</del>;
    case 'InlineCode': {
      const [first, last] = [node.firstChild, node.lastChild];
      return <code>{slice(context, { from: first?.to ?? node.from, to: last?.from ?? node.to })}</code>;
    }
    case 'Escape':
      return <>{own.slice(1)}</>;
    case 'Entity':
      return <>{decodedReference(own)}</>;
    case 'HardBreak':
      return <br />;
    case 'TaskMarker':
      return <>{/x/i.test(own) ? '☑' : '☐'}</>;
    case 'URL':
    case 'Autolink': {
      const url = own.replace(/^<(.*)>$/, '$1');
      return <Link url={urlOfText(url)}>{url}</Link>;
    }
    case 'Link':
    case 'Image':
      return <Reference node={node} context={context} />;
    case 'HTMLTag':
    case 'Comment':
    case 'ProcessingInstruction':
      return (
        <code class="markdown-html" title={say('editors.previewHtml')}>
          {own}
        </code>
      );
    case 'Subscript':
    case 'Superscript':
    case 'Emoji':
      // No Markdown that all sites understand.
      return <>{own}</>;
    default:
      // Marks, which are not shown.
      return null;
  }
}

const urlOfText = (text: string): string =>
  /^[a-z][\w+.-]*:/i.test(text) ? text : text.includes('@') && !text.includes('/') ? `mailto:${text}` : `https://${text}`;

function Reference({ node, context }: { readonly node: SyntaxNode; readonly context: Context }): JSX.Element {
  const parts = linkParts(node);
  const url = parts === undefined ? undefined : urlOf(parts, context);
  // Brackets that name nothing are brackets.
  if (parts === undefined || url === undefined) return <>{slice(context, node)}</>;
  if (node.name === 'Link') return <Link url={url}>{inlineOf(node, context, parts.shown)}</Link>;
  const alternative = decoded(plainText(slice(context, parts.shown)));
  if (context.isOwnPicture(url)) return <img src={url} alt={alternative} loading="lazy" />;
  return (
    <span class="blocks-kept" title={url}>
      {alternative === '' ? url : alternative}
    </span>
  );
}

const urlOf = (parts: LinkParts, context: Context): string | undefined =>
  parts.url === undefined
    ? context.targets.get(nameOfLink(parts, context.text))
    : decoded(slice(context, parts.url).replace(/^<([\s\S]*)>$/, '$1'));

function Link({ url, children }: { readonly url: string; readonly children: ComponentChildren }) {
  if (!isSafeUrl(url)) return <span title={url}>{children}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
