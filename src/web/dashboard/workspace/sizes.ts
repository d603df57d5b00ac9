import { useMemo, useState } from 'preact/hooks';
import { kept } from '../../adapters/kept.ts';

/** The sizes that a person can change, each with its bounds. `side` is in units of the tokens, the others are rows. */
export const SIZES = {
  side: { token: '--side', least: 60, most: 200 },
  table: { token: '--table-rows', least: 2, most: 40 },
  ladders: { token: '--ladder-rows', least: 7, most: 60 },
  selections: { token: '--selection-rows', least: 2, most: 40 },
} as const;

export type SizeName = keyof typeof SIZES;

/** What a person changed. */
export type Changed = Readonly<Partial<Record<SizeName, number>>>;

const NAMES = Object.keys(SIZES) as SizeName[];
const KEPT_AS = 'touchline-sizes';

/** The changed sizes in a kept text; those that are no size are left out. */
export function changedIn(text: string | null): Changed {
  if (text === null) return {};
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const known = NAMES.map((name) => [name, given?.[name]] as const);
    return Object.fromEntries(known.filter(([name, value]) => isSize(name, value)));
  } catch {
    return {};
  }
}

function isSize(name: SizeName, value: unknown): boolean {
  const { least, most } = SIZES[name];
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

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
  return Object.fromEntries(NAMES.map((name) => [name, changed[name] ?? ofToken(name)])) as Sizes['of'];
}

const styleOf = (changed: Changed): Sizes['style'] =>
  Object.fromEntries(
    NAMES.flatMap((name) =>
      changed[name] === undefined ? [] : [[SIZES[name].token, String(changed[name])]],
    ),
  );
