import type { Editor } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import { say } from '../../words/say.ts';
import { Tool, Toolbar, ToolGroup } from '../shared/toolbar.tsx';
import { type TextMark, textMarks } from './block.ts';
import { type BlockKind, blockKind, codeLanguage, deleteBlock, linkAt, moveBlock, setCodeLanguage, setKind } from './block-commands.ts';
import { languages } from './languages.ts';
import { listAround, nestItems, toggleList, unnestItems } from './list-commands.ts';
import { formatShortcuts } from './marks.ts';
import { shortcuts } from './typing.ts';

interface BlocksToolbarProps {
  readonly editor: Editor;
  readonly id: string;
  readonly askForLink: () => void;
  /** Undefined where there is no media library. */
  readonly addImage: (() => void) | undefined;
}

export function BlocksToolbar({ editor, id, askForLink, addImage }: BlocksToolbarProps) {
  const { state } = editor;
  const run = (command: Command, byPointer: boolean) => {
    command(editor.state, editor.view.dispatch);
    if (byPointer) editor.view.focus();
  };
  /** A command as a button has it. */
  const tool = (command: Command) => ({ isIdle: !command(state), run: (byPointer: boolean) => run(command, byPointer) });
  const format = listAround(state)?.node.attrs.format;
  const isIn = (mark: TextMark) => editor.isActive(mark);
  const canLink = state.schema.marks.link !== undefined && state.selection.$from.parent.type.allowsMarkType(state.schema.marks.link);
  const mayFormat = state.selection.$from.parent.inlineContent;
  return (
    <Toolbar label={say('editors.toolbar')} controls={id}>
      <KindSelect editor={editor} />
      {blockKind(state) === 'codeBlock' && <LanguageSelect editor={editor} />}
      <ToolGroup>
        {textMarks.map((mark) => (
          <Tool
            key={mark}
            icon={mark}
            label={say(`editors.${mark}`)}
            shortcut={formatShortcuts[mark]}
            isOn={isIn(mark)}
            isIdle={!mayFormat}
            run={(byPointer) => {
              editor.commands.toggleMark(mark);
              if (byPointer) editor.view.focus();
            }}
          />
        ))}
        <Tool
          icon="link"
          label={say('editors.link')}
          shortcut={shortcuts.link}
          isOn={linkAt(state) !== undefined}
          isIdle={!mayFormat || !canLink}
          run={askForLink}
        />
      </ToolGroup>
      <ToolGroup>
        <Tool
          icon="unordered"
          label={say('editors.unordered')}
          shortcut={shortcuts.unordered}
          isOn={format === 'unordered'}
          {...tool(toggleList('unordered'))}
        />
        <Tool
          icon="ordered"
          label={say('editors.ordered')}
          shortcut={shortcuts.ordered}
          isOn={format === 'ordered'}
          {...tool(toggleList('ordered'))}
        />
        {format !== undefined && (
          <>
            <Tool icon="nest" label={say('editors.nest')} shortcut={shortcuts.nest} {...tool(nestItems)} />
            <Tool icon="unnest" label={say('editors.unnest')} shortcut={shortcuts.unnest} {...tool(unnestItems)} />
          </>
        )}
      </ToolGroup>
      <ToolGroup>
        {addImage !== undefined && <Tool icon="image" label={say('editors.image')} run={addImage} />}
        <Tool icon="up" label={say('editors.moveUp')} shortcut={shortcuts.moveUp} {...tool(moveBlock('up'))} />
        <Tool icon="down" label={say('editors.moveDown')} shortcut={shortcuts.moveDown} {...tool(moveBlock('down'))} />
        <Tool icon="remove" label={say('editors.deleteBlock')} {...tool(deleteBlock)} />
      </ToolGroup>
    </Toolbar>
  );
}

const levels = [1, 2, 3, 4, 5, 6] as const;

function KindSelect({ editor }: { readonly editor: Editor }) {
  const kind = blockKind(editor.state);
  return (
    <select
      class="editor-select"
      data-tool=""
      aria-label={say('editors.kind')}
      value={kind ?? ''}
      onChange={(event) => {
        setKind(event.currentTarget.value as BlockKind)(editor.state, editor.view.dispatch);
        editor.view.focus();
      }}
    >
      {kind === undefined && <option value="">{say('editors.kindOther')}</option>}
      <option value="paragraph">{say('editors.paragraph')}</option>
      {levels.map((level) => (
        <option key={level} value={`heading${level}`}>
          {say('editors.heading', { level })}
        </option>
      ))}
      <option value="quote">{say('editors.quote')}</option>
      <option value="codeBlock">{say('editors.codeBlock')}</option>
    </select>
  );
}

function LanguageSelect({ editor }: { readonly editor: Editor }) {
  const language = codeLanguage(editor.state);
  return (
    <select
      class="editor-select"
      data-tool=""
      aria-label={say('editors.language')}
      value={language}
      onChange={(event) => {
        setCodeLanguage(event.currentTarget.value)(editor.state, editor.view.dispatch);
        editor.view.focus();
      }}
    >
      <option value="">{say('editors.noLanguage')}</option>
      {language !== '' && !Object.hasOwn(languages, language) && <option value={language}>{language}</option>}
      {Object.entries(languages).map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}
