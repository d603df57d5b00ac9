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

export const SIZE_NAMES = Object.keys(SIZES) as SizeName[];

/** The changed sizes in a kept text; those that are no size are left out. */
export function changedIn(text: string | null): Changed {
  if (text === null) return {};
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const known = SIZE_NAMES.map((name) => [name, given?.[name]] as const);
    return Object.fromEntries(known.filter(([name, value]) => isSize(name, value)));
  } catch {
    return {};
  }
}

function isSize(name: SizeName, value: unknown): boolean {
  const { least, most } = SIZES[name];
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
