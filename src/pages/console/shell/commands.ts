/** What the command palette offers without a search. */
import { mayRelease } from '../releases/release.ts';
import { editableTypes, may, mayManage, mayUse, pathNameOf } from '../server/me.ts';
import { signOut } from '../server/session.ts';
import { say } from '../words/say.ts';
import { go, hrefOf } from './location.ts';
import { isShowingShortcuts } from './shortcuts.tsx';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly run: () => void;
}

export interface Group {
  readonly label: string;
  readonly commands: readonly Command[];
}

interface Commands {
  readonly places: readonly Command[];
  readonly create: readonly Command[];
  readonly actions: readonly Command[];
}

export function commandsFor(): Commands {
  const types = editableTypes.value;
  const to = (path: readonly string[], label: string): Command => ({ id: path.join('/'), label, run: () => void go(hrefOf(path)) });
  return {
    places: [
      to([], say('shell.start')),
      ...types.filter((type) => may(type, 'find')).map((type) => to(['content', pathNameOf(type)], type.label)),
      ...(mayUse('plugin::upload.content-api.find') ? [to(['media'], say('shell.media'))] : []),
      ...(mayRelease() ? [to(['releases'], say('releases.title'))] : []),
      ...(mayManage() ? [to(['access'], say('people.title'))] : []),
      to(['account'], say('people.accountTitle')),
    ],
    create: types
      .filter((type) => type.kind === 'collectionType' && may(type, 'create'))
      .map((type) => to(['content', pathNameOf(type), 'new'], say('shell.new', { type: type.label }))),
    actions: [
      {
        id: 'shortcuts',
        label: say('shell.shortcuts'),
        hint: '?',
        run: () => {
          isShowingShortcuts.value = true;
        },
      },
      { id: 'sign out', label: say('shell.signOut'), run: () => void leave() },
    ],
  };
}

async function leave(): Promise<void> {
  await signOut();
  location.assign('/console');
}
