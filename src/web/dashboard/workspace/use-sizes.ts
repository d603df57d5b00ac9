import { useMemo, useState } from 'preact/hooks';
import { kept } from '../../adapters/kept.ts';
import { type Changed, changedIn, SIZE_NAMES, type SizeName, SIZES } from './sizes.ts';

const KEPT_AS = 'touchline-sizes';

export interface Sizes {
  readonly of: Readonly<Record<SizeName, number>>;
  /** What the style sheets use, as the style of an element. */
  readonly style: Readonly<Record<string, string>>;
  /** Changes a size, and keeps it; null: as the tokens have it. */
  readonly set: (name: SizeName, value: number | null) => void;
}

/** The sizes of the panels: those of the tokens, and over them what a person changed. The browser keeps the changes. */
export function useSizes(): Sizes {
  const [changed, setChanged] = useState(() => changedIn(kept.read(KEPT_AS)));
  const of = useMemo(() => sizesWith(changed), [changed, innerWidth, innerHeight]);
  const style = useMemo(() => styleOf(changed), [changed]);
  const set = (name: SizeName, value: number | null): void =>
    setChanged((before) => {
      const { [name]: _, ...others } = before;
      const next = value === null ? others : { ...others, [name]: value };
      kept.write(KEPT_AS, JSON.stringify(next));
      return next;
    });
  return { of, style, set };
}

function sizesWith(changed: Changed): Sizes['of'] {
  const tokens = getComputedStyle(document.documentElement);
  const ofToken = (name: SizeName): number => Number(tokens.getPropertyValue(SIZES[name].token));
  return Object.fromEntries(SIZE_NAMES.map((name) => [name, changed[name] ?? ofToken(name)])) as Sizes['of'];
}

const styleOf = (changed: Changed): Sizes['style'] =>
  Object.fromEntries(
    SIZE_NAMES.flatMap((name) =>
      changed[name] === undefined ? [] : [[SIZES[name].token, String(changed[name])]],
    ),
  );
