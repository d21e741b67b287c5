import { useEffect, useRef } from 'preact/hooks';

/** A click on the label of a field gives the focus to its editor. Browsers do so for inputs alone. */
export function useLabel(id: string, focus: () => void): void {
  const latest = useRef(focus);
  latest.current = focus;
  useEffect(() => {
    const label = document.getElementById(`${id}--label`);
    const onClick = () => latest.current();
    label?.addEventListener('click', onClick);
    return () => label?.removeEventListener('click', onClick);
  }, [id]);
}
