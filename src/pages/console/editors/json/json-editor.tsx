/** The editor of a json attribute. The form gets valid values only; the text stays what was typed. */
import { json } from '@codemirror/lang-json';
import { bracketMatching } from '@codemirror/language';
import { lineNumbers } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FieldProps } from '../../fields/field-props.ts';
import { say } from '../../words/say.ts';
import { useCodeEditor } from '../code/code-editor.ts';
import { editorAria } from '../shared/editor-aria.ts';
import { isSameJson } from '../shared/same-json.ts';
import { Tool, Toolbar, ToolGroup } from '../shared/toolbar.tsx';
import { useLabel } from '../shared/use-label.ts';
import { type JsonReading, readJson, writeJson } from './json-text.ts';

export interface JsonEditorProps extends FieldProps {
  /** An invalid text that was typed before, which is shown instead of the value. */
  readonly text?: string | undefined;
  /** Called with the text while it is invalid, and with undefined once it is valid. */
  readonly onText?: ((text: string | undefined) => void) | undefined;
}

/** Long enough that nobody reads about a mistake in the middle of a word. */
const delay = 400;

export default function JsonEditor(props: JsonEditorProps) {
  const { value, change, id, describedBy, isInvalid, isReadOnly, text, onText } = props;
  const host = useRef<HTMLDivElement>(null);
  const agreed = useRef<unknown>(value ?? null);
  const [reading, setReading] = useState<JsonReading>(() => readJson(text ?? ''));
  const extensions = useMemo(() => [json(), bracketMatching(), lineNumbers()], []);
  const statusId = `${id}--json`;

  const handOver = (typed: string) => {
    const next = readJson(typed);
    setReading(next);
    onText?.(next.ok ? undefined : typed);
    if (!next.ok || isSameJson(next.value, agreed.current)) return;
    agreed.current = next.value;
    change(next.value);
  };
  const described = [describedBy, reading.ok ? undefined : statusId].filter(Boolean).join(' ');
  const editor = useCodeEditor(host, {
    text: text ?? writeJson(value),
    handOver,
    delay,
    isReadOnly,
    extensions,
    attributes: {
      ...editorAria({ ...props, isInvalid: isInvalid || !reading.ok, describedBy: described === '' ? undefined : described }),
      dir: 'ltr',
    },
  });
  useEffect(() => {
    const next = value ?? null;
    if (editor === undefined || editor.isWaiting || next === agreed.current) return;
    const isSame = isSameJson(next, agreed.current);
    agreed.current = next;
    if (isSame) return;
    editor.put(writeJson(next));
    setReading({ ok: true, value: next });
    onText?.(undefined);
  }, [editor, value]);

  useLabel(id, () => editor?.view.focus());
  const tidy = () => {
    if (editor === undefined) return;
    editor.flush();
    const current = readJson(editor.text);
    if (current.ok)
      editor.run({ changes: { from: 0, to: editor.view.state.doc.length, insert: writeJson(current.value) }, userEvent: 'input' });
  };
  const showMistake = () => {
    if (editor === undefined || reading.ok) return;
    editor.run({ selection: { anchor: Math.min(reading.offset, editor.view.state.doc.length) }, scrollIntoView: true });
    editor.view.focus();
  };
  return (
    <div class="editor" data-invalid={isInvalid || !reading.ok}>
      {!isReadOnly && (
        <Toolbar label={say('editors.toolbar')} controls={id}>
          <ToolGroup>
            <Tool icon="format" label={say('editors.format')} isIdle={!reading.ok} run={tidy} />
          </ToolGroup>
        </Toolbar>
      )}
      <div ref={host} class="code-host json-text" />
      <div id={statusId} class="editor-status" role="status">
        {!reading.ok && (
          <>
            <button type="button" class="link problem" onClick={showMistake}>
              {say('editors.jsonProblem', {
                line: reading.position.line,
                column: reading.position.column,
                problem: say(`editors.json.${reading.problem}`, { key: reading.key }),
              })}
            </button>{' '}
            {say('editors.jsonNotSaved')}
          </>
        )}
      </div>
    </div>
  );
}
