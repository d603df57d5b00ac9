/** Colours of the terminal, and the width of lines that have them. */

export const BOLD = '\x1b[1m';
export const DIM = '\x1b[2m';
export const INVERSE = '\x1b[7m';
export const RESET = '\x1b[0m';
/** Colours mean the same everywhere: gains, losses, what needs a look, and the two sides as betting sites show them. */
export const GAIN = '\x1b[32m';
export const LOSS = '\x1b[31m';
export const LOOK = '\x1b[33m';
export const BACK = '\x1b[36m';
export const LAY = '\x1b[35m';

export const coloured = (text: string, colour: string): string =>
  colour === '' || text === '' ? text : colour + text + RESET;

export const colourOf = (value: number): string => (value > 0 ? GAIN : value < 0 ? LOSS : '');

const ESCAPE = /(\x1b\[[0-9;]*m)/;

/** Characters that take two columns: those of East Asia, and those beyond the first plane, such as emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{10000}-\u{10ffff}]/u;

const widthOfChar = (char: string): number => (WIDE.test(char) ? 2 : 1);

/** How many columns a line takes; escape sequences take none. */
export const widthOf = (line: string): number =>
  line
    .split(ESCAPE)
    .filter((part) => !ESCAPE.test(part))
    .reduce((sum, part) => [...part].reduce((width, char) => width + widthOfChar(char), sum), 0);

/** Cuts a line to so many columns, and keeps its escape sequences. */
export function clip(line: string, columns: number): string {
  let room = columns;
  let clipped = '';
  for (const part of line.split(ESCAPE)) {
    if (ESCAPE.test(part)) {
      clipped += part;
      continue;
    }
    for (const char of part) {
      room -= widthOfChar(char);
      if (room < 0) break;
      clipped += char;
    }
  }
  return clipped;
}

/** A line of exactly so many columns. */
export function filled(line: string, columns: number): string {
  const cut = clip(line, columns);
  return cut + ' '.repeat(Math.max(0, columns - widthOf(cut)));
}

/** A text at the right of so many columns. */
export function rightAligned(text: string, columns: number): string {
  const cut = clip(text, columns);
  return ' '.repeat(Math.max(0, columns - widthOf(cut))) + cut;
}

/** A name that is too long loses its middle: what tells lines apart stands at the end. */
export function fittedName(name: string, width: number): string {
  if (widthOf(name) <= width) return name;
  if (width < 2) return clip(name, width);
  const end = name.slice(name.lastIndexOf(' ') + 1).slice(-Math.floor(width / 2));
  const tail = widthOf(end) < width ? end : '';
  return `${clip(name, width - widthOf(tail) - 1)}…${tail}`;
}
