/** Finds what a person may have meant by a misspelt word. */

/** Case and separators are no difference: `duration_s` is `durationS`. */
const plain = (text: string): string => text.toLowerCase().replace(/[-_\s]/g, '');

/** Up to this part of a word may be wrong. */
const WRONG_PART = 1 / 3;
/** A word that is cut, or goes on, is meant from this length on. */
const LEAST_STEM = 4;

/** The known word nearest to a text; null if none is near. Of equally near ones, the first. */
export function nearest(text: string, known: readonly string[]): string | null {
  let [best, least]: [string | null, number] = [null, Infinity];
  for (const word of known) {
    const distance = distanceOf(plain(text), plain(word));
    if (distance !== null && distance < least) [best, least] = [word, distance];
  }
  return best;
}

/** ` (did you mean "durationS"?)`, or nothing if no known word is near. */
export function didYouMean(text: string, known: readonly string[]): string {
  const word = nearest(text, known);
  return word === null ? '' : ` (did you mean ${JSON.stringify(word)}?)`;
}

/** The number of changed letters; null if the words are too far apart. */
function distanceOf(text: string, word: string): number | null {
  const most = Math.max(1, Math.floor(Math.max(text.length, word.length) * WRONG_PART));
  const distance = editsBetween(text, word);
  if (distance <= most) return distance;
  const [short, long] = text.length < word.length ? [text, word] : [word, text];
  return short.length >= LEAST_STEM && long.startsWith(short) ? most + long.length - short.length : null;
}

/** Insertions, deletions, replacements, and swaps of neighbours (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (before[j - 2] as number) + 1
          : Infinity;
      row.push(Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, replaced, swapped));
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
