import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

interface SplitterProps {
  /** What it resizes. */
  readonly label: string;
  /** How the bar itself lies: an upright one is moved to the left and to the right. */
  readonly lies: 'upright' | 'flat';
  /** The size, and its bounds, in steps. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** How many pixels a step is. */
  readonly stepPx: number;
  /** Whether the panel grows as the bar moves to the left or up. */
  readonly isBefore?: boolean;
  /** Null: as it was at first. */
  readonly onChange: (value: number | null) => void;
}

const LARGE = 5;

/** A bar between two panels. It is dragged, or moved by the arrow keys; a double click or the key Home gives back the first size. */
export function Splitter(props: SplitterProps): JSX.Element {
  const { label, lies, value, least, most, stepPx, isBefore = false, onChange } = props;
  const from = useRef<{ readonly atPx: number; readonly value: number } | null>(null);
  const isUpright = lies === 'upright';
  const sign = isBefore ? -1 : 1;
  const set = (next: number): void => onChange(Math.min(most, Math.max(least, Math.round(next))));
  const place = (event: PointerEvent): number => (isUpright ? event.clientX : event.clientY);
  const bar = useRef<HTMLDivElement>(null);
  const begin = (event: PointerEvent): void => {
    bar.current?.setPointerCapture(event.pointerId);
    from.current = { atPx: place(event), value };
  };
  const move = (event: PointerEvent): void => {
    const start = from.current;
    if (start !== null) set(start.value + (sign * (place(event) - start.atPx)) / stepPx);
  };
  const end = (): void => {
    from.current = null;
  };
  const press = (event: KeyboardEvent): void => {
    const [less, more] = isUpright ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const by = sign * (event.shiftKey ? LARGE : 1);
    if (event.key === 'Home') onChange(null);
    else if (event.key === more) set(value + by);
    else if (event.key === less) set(value - by);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={bar}
      class={`splitter ${lies}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      title={`${label}: drag, or use the arrow keys; a double click gives back the first size`}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={press}
      onDblClick={() => onChange(null)}
    />
  );
}
