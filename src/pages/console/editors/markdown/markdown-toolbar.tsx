import type { EditorState, TransactionSpec } from '@codemirror/state';
import { say } from '../../words/say.ts';
import { Tool, Toolbar, ToolGroup } from '../shared/toolbar.tsx';
import { nextHeading, toggleLines, toggleMarker } from './markdown-changes.ts';

export const shortcuts = { bold: 'Mod-b', italic: 'Mod-i', code: 'Mod-e', link: 'Mod-k' } as const;

type Make = (state: EditorState) => TransactionSpec;

interface MarkdownToolbarProps {
  readonly id: string;
  readonly isReadOnly: boolean;
  readonly run: (make: Make, byPointer: boolean) => void;
  readonly askForLink: () => void;
  /** Undefined where there is no media library. */
  readonly addFile: (() => void) | undefined;
  readonly isPreviewed: boolean;
  readonly togglePreview: () => void;
}

export function MarkdownToolbar({ id, isReadOnly, run, askForLink, addFile, isPreviewed, togglePreview }: MarkdownToolbarProps) {
  const tool = (make: Make) => ({ run: (byPointer: boolean) => run(make, byPointer) });
  return (
    <Toolbar label={say('editors.toolbar')} controls={id}>
      {!isReadOnly && (
        <>
          <ToolGroup>
            <Tool icon="heading" label={say('editors.headingButton')} {...tool(nextHeading)} />
            <Tool icon="bold" label={say('editors.bold')} shortcut={shortcuts.bold} {...tool((state) => toggleMarker(state, '**'))} />
            <Tool icon="italic" label={say('editors.italic')} shortcut={shortcuts.italic} {...tool((state) => toggleMarker(state, '*'))} />
            <Tool icon="code" label={say('editors.code')} shortcut={shortcuts.code} {...tool((state) => toggleMarker(state, '`'))} />
            <Tool icon="link" label={say('editors.link')} shortcut={shortcuts.link} run={askForLink} />
          </ToolGroup>
          <ToolGroup>
            <Tool icon="unordered" label={say('editors.unordered')} {...tool((state) => toggleLines(state, 'unordered'))} />
            <Tool icon="ordered" label={say('editors.ordered')} {...tool((state) => toggleLines(state, 'ordered'))} />
            <Tool icon="quote" label={say('editors.quote')} {...tool((state) => toggleLines(state, 'quote'))} />
            {addFile !== undefined && <Tool icon="image" label={say('editors.image')} run={addFile} />}
          </ToolGroup>
        </>
      )}
      <ToolGroup>
        <Tool icon="preview" label={say('editors.preview')} isOn={isPreviewed} run={togglePreview} />
      </ToolGroup>
    </Toolbar>
  );
}
