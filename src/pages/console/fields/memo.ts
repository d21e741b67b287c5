/** `memo` of `preact/compat`, without the rest of it, which changes what event handlers mean on the
 *  whole page: `onChange` would run for each key. */
import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

type IsSame<Props> = (before: Props, after: Props) => boolean;

/** A component that is drawn again only when `isSame` says that its properties differ. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChild, isSame: IsSame<Props> = hasSame) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props as Props, next);
    }
    override render() {
      return h(draw as FunctionComponent<Props>, this.props as Props);
    }
  };
}

function hasSame<Props extends object>(before: Props, after: Props): boolean {
  const names = Object.keys(after) as (keyof Props)[];
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}
