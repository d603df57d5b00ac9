/** Finds what a person names: by an id, by a name, or by a part of a name that only one thing has. */

export interface Named<T> {
  readonly value: T;
  /** The whole name, as it is shown: `Northgate v Harbour: Over 2.5`. */
  readonly name: string;
  /** Other names that mean it if they are written in full: its id, and its name within its event. */
  readonly aliases: readonly string[];
}

export type Found<T> =
  | { readonly kind: 'one'; readonly value: T; readonly name: string }
  | { readonly kind: 'none' }
  /** The whole names of everything that is meant. */
  | { readonly kind: 'several'; readonly names: readonly string[] };

type Test = (named: Named<unknown>) => boolean;

/** Case, accents, colons, kinds of minus and width of blanks are no difference. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[−–]/g, '-')
    .replaceAll(':', ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** From the strictest to the freest. The first that anything passes decides. */
function testsFor(text: string): readonly Test[] {
  const wanted = plain(text);
  const words = wanted.split(' ');
  return [
    ({ aliases }) => aliases.includes(text),
    ({ name }) => plain(name) === wanted,
    ({ aliases }) => aliases.some((alias) => plain(alias) === wanted),
    ({ name }) => plain(name).includes(wanted),
    ({ name }) => words.every((word) => plain(name).includes(word)),
  ];
}

/** The only thing that the text names; else all that it may mean. */
export function findNamed<T>(text: string, all: readonly Named<T>[]): Found<T> {
  if (plain(text) === '') return { kind: 'none' };
  for (const test of testsFor(text)) {
    const [first, ...more] = all.filter(test);
    if (first === undefined) continue;
    if (more.length === 0) return { kind: 'one', value: first.value, name: first.name };
    return { kind: 'several', names: [first, ...more].map(({ name }) => name).toSorted() };
  }
  return { kind: 'none' };
}

/** An error lists at most this many. */
const NAMES_SHOWN = 10;

/** What to answer to a text that names several things. */
export function ambiguity(text: string, names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join('; ');
  const more = names.length > NAMES_SHOWN ? `; and ${names.length - NAMES_SHOWN} more` : '';
  return `"${text}" may mean ${names.length} things: ${shown}${more}. Write more of the name, or an id`;
}
